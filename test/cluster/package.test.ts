import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { expect } from 'chai'
import { InstalledPackage } from '../package/installed-package.ts'
import { nodeOfVersion } from '../package/node-of-version.ts'
import { pack } from '../package/pack.ts'
import { worksInstalled } from '../package/works-installed.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly engines: { readonly node: string } }
const OLDEST = `${engines.node.replace('>=', '')}.0`
const TOO_OLD = '20.18.3'

/** Beside the Node that runs the tests. */
const VERSIONS = [
  { version: OLDEST, name: 'the oldest that package.json allows', charts: false, readsTypeScript: false },
  { version: '22.19.0', name: 'the oldest that renders Helm charts', charts: true, readsTypeScript: true },
]

describe('the package on other versions of Node', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  let tarball: string
  before(() => {
    tarball = pack(folder)
  })
  after(() => folder.remove())

  for (const { version, name, charts, readsTypeScript } of VERSIONS) {
    describe(`on ${version}, ${name}`, () => {
      const the = {} as { package: InstalledPackage }
      before(() => {
        the.package = new InstalledPackage(tarball, nodeOfVersion(version))
      })
      after(() => the.package.remove())

      worksInstalled(the, { charts })

      it('runs on that Node', () => {
        expect(the.package.run(folder.path, ['version']).stdout).to.include(`(Node v${version})`)
      })

      it(`starts from a checkout on ${readsTypeScript ? 'that Node' : 'the Node that npm ci has brought'}`, () => {
        const out = execFileSync(nodeOfVersion(version), ['bin/rolebook.cjs', 'version'], { encoding: 'utf8' })
        expect(out).to.include(`(Node ${readsTypeScript ? `v${version}` : process.version})`)
      })
    })
  }

  it(`says on ${TOO_OLD} in one sentence which one it needs, behind the warning of npm`, () => {
    const tooOld = new InstalledPackage(tarball, nodeOfVersion(TOO_OLD))
    const { status, stdout, stderr } = tooOld.npx(tooOld.emptyFolder('project'), 'init')
    tooOld.remove()
    expect([status, stdout]).to.deep.equal([2, ''])
    expect(stderr.replace(/^npm warn EBADENGINE.*\n/gm, '')).to.equal(
      `rolebook: cannot start: it needs Node 20.19 or newer, and this is v${TOO_OLD} (install a newer one)\n`,
    )
  })
})
