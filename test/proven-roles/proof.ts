/**
 * Runs `rolebook prove` on every role of `roles/` and `examples/`, and ends with code 1 when one breaks a property. The
 * counterexample is then a role test beside its role.
 *
 *     npm run proof:roles -- [--cases 1000] [--seed 1] [--workers 2]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process, { argv, execPath, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { projectFolders } from './project-folders.ts'

const MAIN = join(import.meta.dirname, '../../src/rolebook/cli/main.ts')

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    cases: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
  },
})
const folders = [...projectFolders()]
const workers = Array.from({ length: Number(values.workers) }, async () => {
  let holds = true
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift())
    holds = (await prove(folder)) && holds
  return holds
})
process.exitCode = (await Promise.all(workers)).every((holds) => holds) ? 0 : 1

/** True: every property held in every case. */
async function prove(cwd: string): Promise<boolean> {
  const { cases, seed } = values
  const child = spawn(execPath, [MAIN, 'prove', '--cases', cases, '--seed', seed], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => stdout.write(text))
  const [code] = await once(child, 'close')
  return code === 0
}
