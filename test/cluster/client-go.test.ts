import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { env, stderr } from 'node:process'
import { expect } from 'chai'
import { RolebookProcess, temporaryFolder } from '../support/rolebook-process.ts'

const SOURCE = join(import.meta.dirname, '../control-plane/client-go')

describe('a client-go program', function () {
  this.timeout(10 * 60_000)
  const folder = temporaryFolder()
  const kubeconfig = join(folder.path, 'kubeconfig')
  let program: string
  let sandbox: RolebookProcess | undefined

  before(function () {
    if (!hasGo()) {
      stderr.write('SKIPPED: the client-go program needs Go, and there is none on the path\n')
      this.skip() // said above: nothing else can build the program
    }
    program = build()
  })
  after(async () => {
    await sandbox?.stop()
    folder.remove()
  })

  it('works on the sandbox as it works on a real server', async () => {
    sandbox = new RolebookProcess(['sandbox', '--kubeconfig', kubeconfig])
    await sandbox.until('it listens', ({ stdout }) => stdout.includes('export KUBECONFIG'))
    const result = spawnSync(program, [kubeconfig], { encoding: 'utf8' })
    expect(result.status, `${result.stdout}${result.stderr}`).to.equal(0)
    expect(
      result.stdout
        .trim()
        .split('\n')
        .every((line) => line.startsWith('ok ')),
    ).to.equal(true)
  })
})

function hasGo(): boolean {
  return spawnSync('go', ['version']).status === 0
}

/** Go keeps what it built in a cache of its own: the second time takes a second. */
function build(): string {
  const cache = join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'rolebook')
  mkdirSync(cache, { recursive: true })
  const target = join(cache, 'client-go')
  execFileSync('go', ['build', '-o', target, '.'], {
    cwd: SOURCE,
    stdio: 'inherit',
    env: { ...env, GOWORK: 'off', CGO_ENABLED: '0' },
  })
  return target
}
