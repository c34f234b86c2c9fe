import type { Command } from '../command.ts'
import { versionLine } from '../program-version.ts'
import { EXIT } from '../terminal.ts'

export const versionCommand: Command = {
  name: 'version',
  summary: 'print the version',
  description: 'Prints the version of rolebook and of the Node that runs it.',
  options: [],
  examples: ['rolebook version'],
  async run({ terminal }) {
    terminal.out(`${versionLine()}\n`)
    return EXIT.ok
  },
}
