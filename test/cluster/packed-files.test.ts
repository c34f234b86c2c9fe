import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { execPath, version } from 'node:process'
import { expect } from 'chai'
import { InstalledPackage } from '../package/installed-package.ts'
import { pack } from '../package/pack.ts'
import { hasTypes } from '../package/types-of-consumer.ts'
import { worksInstalled } from '../package/works-installed.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Everything that is installed. A file more than these was not meant to be published. */
const FILES = [
  'LICENSE',
  'README.md',
  'bin/rolebook.cjs',
  'dist/THIRD-PARTY-LICENSES.txt',
  'dist/dashboard/index.html',
  'dist/dashboard/page.js',
  'dist/dashboard/styles.css',
  'dist/builtin-schemas.generated.bin',
  'dist/helm-engine.generated.bin',
  'dist/helm-engine.generated.txt',
  'dist/library-operator.mjs',
  'dist/library-sandbox.mjs',
  'dist/library-testing.mjs',
  'dist/render-worker.mjs',
  'dist/rolebook.mjs',
  'package.json',
]
/** What the program and the entrances of the library share, and the types of all that they name. */
const SHARED = /^dist\/(shared-[A-Z0-9]{8}\.mjs|types\/.+\.d\.ts)$/
const MOST_BYTES = 5 * 2 ** 20

describe('the package', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  const the = {} as { package: InstalledPackage; tarball: Buffer; unpacked: string }
  before(() => {
    const path = pack(folder)
    the.tarball = readFileSync(path)
    the.package = new InstalledPackage(path)
    execFileSync('tar', ['-xzf', path, '-C', folder.path])
    the.unpacked = folder.at('package')
  })
  after(() => {
    the.package?.remove()
    folder.remove()
  })
  const read = (path: string): string => readFileSync(join(the.unpacked, path), 'utf8')

  it('holds the program, its data and their licences, and nothing else', () => {
    const entries = readdirSync(the.unpacked, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    const files = entries.map(({ parentPath, name }) => join(parentPath, name).slice(the.unpacked.length + 1))
    expect(files.filter((path) => !SHARED.test(path))).to.have.members(FILES)
    expect(the.tarball.length).to.be.lessThan(MOST_BYTES)
  })

  it('declares nothing that would be installed with it', () => {
    const kinds = ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies']
    expect(JSON.parse(read('package.json'))).to.not.have.any.keys(...kinds)
  })

  it('shows nothing of the machine that built it, and has no source maps', () => {
    for (const path of FILES) {
      const text = readFileSync(join(the.unpacked, path), 'latin1')
      for (const trace of [resolve('.'), folder.path, homedir(), 'sourceMappingURL']) {
        expect(text.includes(trace), `${path} has ${trace}`).to.equal(false)
      }
    }
  })

  it('lists each package whose code it holds, with its licence', () => {
    const [, rows = '', ...texts] = read('dist/THIRD-PARTY-LICENSES.txt').split(`\n\n${'-'.repeat(80)}\n\n`)
    const ids = rows.split('\n').map((row) => row.split(': ')[0] ?? '')
    expect(ids).to.include.members(['yaml', 'ajv', 'preact', 'undici', '@kubernetes/client-node'].map(idOf))
    const explained = texts.flatMap((text) => (text.split('\n\n')[0] ?? '').split('\n'))
    expect(explained).to.include.members(ids)
  })

  describe(`on Node ${version}`, () => {
    worksInstalled(the)
    hasTypes(the)
  })

  describe('on a Node that is too old', () => {
    const flags: string[] = []
    before(() => {
      flags.push('--require', folder.write('old-node.cjs', OLD_NODE))
    })

    it('says in one sentence which one it needs', () => {
      const { status, stdout, stderr } = the.package.run(folder.path, ['version'], flags)
      expect([status, stdout]).to.deep.equal([2, ''])
      expect(stderr).to.equal(
        'rolebook: cannot start: it needs Node 20.19 or newer, and this is v18.20.8 (install a newer one)\n',
      )
    })

    it('runs in a checkout, on the Node that npm ci brought', () => {
      const printed = execFileSync(execPath, [...flags, 'bin/rolebook.cjs', 'version'], { encoding: 'utf8' })
      expect(printed).to.match(/^rolebook \d+\.\d+\.\d+ \(Node v24\./)
    })
  })
})

/** A present Node that says it were another. */
const OLD_NODE = `
Object.defineProperty(process, 'version', { value: 'v18.20.8' })
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })
`

/** As it is installed in the checkout. */
function idOf(name: string): string {
  return `${name}@${JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version}`
}
