import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { InstalledPackage } from '../package/installed-package.ts'
import { nodeOfVersion } from '../package/node-of-version.ts'
import { pack } from '../package/pack.ts'
import { worksInstalled } from '../package/works-installed.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly engines: { readonly node: string } }
const OLDEST = `${engines.node.replace('>=', '')}.0`
const TOO_OLD = '20.20.2'

describe('the package on other versions of Node', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  let tarball: string
  before(() => {
    tarball = pack(folder)
  })
  after(() => folder.remove())

  describe(`on ${OLDEST}, the oldest that package.json allows`, () => {
    const the = {} as { package: InstalledPackage }
    before(() => {
      the.package = new InstalledPackage(tarball, nodeOfVersion(OLDEST))
    })
    after(() => the.package.remove())

    worksInstalled(the)

    it('runs on that Node', () => {
      expect(the.package.run(folder.path, ['version']).stdout).to.include(`(Node v${OLDEST})`)
    })
  })

  it(`says on ${TOO_OLD} in one sentence which one it needs, behind the warning of npm`, () => {
    const tooOld = new InstalledPackage(tarball, nodeOfVersion(TOO_OLD))
    const { status, stdout, stderr } = tooOld.npx(tooOld.emptyFolder('project'), 'init')
    tooOld.remove()
    expect([status, stdout]).to.deep.equal([2, ''])
    expect(stderr.replace(/^npm warn EBADENGINE.*\n/gm, '')).to.equal(
      `rolebook: cannot start: it needs Node 22.19 or newer, and this is v${TOO_OLD} (install a newer one)\n`,
    )
  })
})
