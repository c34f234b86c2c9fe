/** Tests in JavaScript run on the sandbox: those on the pages, with each of the runners, from npm. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { env, execPath } from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import { packBuiltProgram } from '../package/pack.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const LONGEST_MS = 300_000
const PAGE = readFileSync('docs/javascript.md', 'utf8')
const LIBRARY = readFileSync('docs/library.md', 'utf8')
const CLUSTER = /^## cluster\.test\.js\n\n```js\n([\s\S]*?)```$/m.exec(PAGE)?.[1] ?? ''
const ROLES = /^## Tests of roles\n[^#]*?```js\n([\s\S]*?)```$/m.exec(LIBRARY)?.[1] ?? ''
/** Of the table: how to get the functions of a runner, and how to run it. */
const RUNNERS = [...PAGE.matchAll(/^\| ([\w:]+) \| `(import .*)` \| `(.*)` \|$/gm)].map(
  ([, name, functions, command]) => ({
    name: name as string,
    functions: functions as string,
    command: command as string,
  }),
)

/** What each says when three tests have passed: two of the cluster, one of the role. */
const PASSED: Readonly<Record<string, RegExp>> = {
  'node:test': /^# pass 3$|^ℹ pass 3$/m,
  mocha: /^ {2}3 passing/m,
  vitest: /Tests +3 passed/,
}

describe('tests in JavaScript', function () {
  this.timeout(LONGEST_MS)
  const [folder, packed] = [temporaryFolder(), temporaryFolder()]
  const ownPath = `${dirname(execPath)}${delimiter}${env.PATH}`

  before(() => {
    cpSync('examples/01-config-hash', folder.path, { recursive: true })
    folder.write('package.json', '{"type": "module"}')
    const packages = [packBuiltProgram(packed), '@kubernetes/client-node', 'mocha', 'vitest']
    execFileSync('npm', ['install', '--prefix', folder.path, '--no-audit', '--no-fund', ...packages], {
      env: { ...env, PATH: ownPath },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  })
  after(() => {
    folder.remove()
    packed.remove()
  })

  it('have their runners on the page', () => {
    expect(RUNNERS.map(({ name }) => name)).to.deep.equal(Object.keys(PASSED))
  })

  for (const { name, functions, command } of RUNNERS) {
    it(`pass with ${name}, and so do those of roles`, () => {
      folder.write('cluster.test.js', withFunctions(CLUSTER, functions))
      folder.write('roles.test.js', withFunctions(ROLES, functions))
      const options = { cwd: folder.path, env: { ...env, PATH: ownPath }, shell: true, encoding: 'utf8' } as const
      const { status, stdout, stderr } = spawnSync(command, options)
      expect(status, `${stdout}${stderr}`).to.equal(0)
      expect(stripVTControlCharacters(stdout)).to.match(PASSED[name] as RegExp)
    })
  }
})

/** Both pages import those of node:test. */
function withFunctions(file: string, functions: string): string {
  return file.replace(/^import .* from 'node:test'$/m, functions)
}
