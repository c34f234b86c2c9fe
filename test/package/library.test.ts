import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { expect } from 'chai'
import { builtProgram } from '../support/built-program.ts'
import { long } from '../support/long-tests.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

const EXAMPLES = [...readFileSync('docs/library.md', 'utf8').matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(
  ([, code]) => code,
)

long.describe('the library', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  before(() => installInto(folder))
  after(() => folder.remove())
  const run = (path: string) => spawnSync(execPath, [path], { cwd: folder.path, encoding: 'utf8' })

  it('has examples on its page', () => expect(EXAMPLES).to.have.lengthOf(6))

  const printed = ['hello\n', '60000\nForbidden\n', /pass [1-9]\d*[\s\S]*fail 0/, '', 'true ProjectError\n', 'shout\n']
  for (const [index, code] of EXAMPLES.entries()) {
    it(`runs example ${index + 1} of its page`, () => {
      const { status, stdout, stderr } = run(folder.write(`example-${index}.mjs`, code ?? ''))
      expect(stderr).to.equal('')
      expect(status, stdout).to.equal(0)
      const expected = printed[index] ?? ''
      if (typeof expected === 'string') expect(stdout).to.equal(expected)
      else expect(stdout).to.match(expected)
    })
  }
})

/** The package as it would be installed, and a project that its examples may load. */
function installInto(folder: TemporaryFolder): void {
  const target = folder.at('node_modules/rolebook')
  mkdirSync(target, { recursive: true })
  symlinkSync(builtProgram(), join(target, 'dist'))
  cpSync('package.json', join(target, 'package.json'))
  cpSync('examples/01-config-hash', folder.path, { recursive: true })
}
