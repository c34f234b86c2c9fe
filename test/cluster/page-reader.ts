import { spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { env } from 'node:process'
import { expect } from 'chai'
import { filesIn } from '../../bin/site/page-projects.ts'
import { buildBinaries } from '../control-plane/binaries.ts'
import { writeFiles } from '../support/temporary-folder.ts'

/** Does what a page says, in a folder whose `bin` comes first on the path. */
export class PageReader {
  readonly #folder: string
  #printed = ''

  constructor(folder: string) {
    this.#folder = folder
  }

  read(block: string, language: string): void {
    const inner = block.split('\n').slice(1, -1).join('\n')
    if (language === 'sh') this.#printed = this.run(inner)
    else if (language === 'text') this.#compare(inner)
    else writeFiles(this.#folder, filesIn(block))
  }

  /** @returns what the commands have printed */
  run(commands: string): string {
    const kubectl = dirname(buildBinaries().paths.kubectl)
    const path = [join(this.#folder, 'bin'), kubectl, env.PATH].join(delimiter)
    const settings = { ...env, PATH: path, KUBECONFIG: join(this.#folder, '.rolebook/kubeconfig') }
    const result = spawnSync('sh', ['-ec', commands], { cwd: this.#folder, env: settings, encoding: 'utf8' })
    const printed = `${result.stdout}${result.stderr}`
    expect(result.status, `${commands}\n${printed}`).to.equal(0)
    return printed
  }

  /** Each line was printed; `…` stands for anything. */
  #compare(expected: string): void {
    for (const line of expected.split('\n')) {
      const parts = line
        .trim()
        .split(/\s*…\s*/)
        .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      expect(this.#printed).to.match(new RegExp(parts.join('.*')))
    }
  }
}
