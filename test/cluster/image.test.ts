import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { builtProgram } from '../support/built-program.ts'

interface Sbom {
  readonly bomFormat: string
  readonly metadata: {
    readonly component: { readonly 'bom-ref': string; readonly name: string; readonly version: string }
  }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly scope: string
  readonly purl: string
}

interface Manifest {
  readonly version: string
}

describe('the list of what is in the image', function () {
  this.timeout(300_000)

  let text: string
  let sbom: Sbom

  before(() => {
    text = printed()
    sbom = JSON.parse(text)
  })

  it('names every package whose code is in the bundle, with its version, and no other', () => {
    const notice = readFileSync(join(builtProgram(), 'THIRD-PARTY-LICENSES.txt'), 'utf8')
    const bundled = [...notice.matchAll(/^(\S+@[\d.]+): \S+$/gm)].map(([, id]) => id)
    const packages = sbom.components.filter(({ purl }) => purl.startsWith('pkg:npm/'))
    expect(sbom.bomFormat).to.equal('CycloneDX')
    expect(packages.map((component) => component['bom-ref'])).to.have.members(bundled)
    expect(packages.map(({ scope }) => scope)).to.deep.equal(packages.map(() => 'required'))
    const names = packages.map(({ name }) => name)
    expect(names).to.include.members(['ajv', 'undici', 'yaml'])
    for (const name of ['mocha', 'esbuild', 'typescript', 'c8']) expect(names).to.not.include(name)
  })

  it('names Go and every module that the renderer of charts is compiled of, as what rolebook depends on', () => {
    const { go } = JSON.parse(readFileSync('src/engine/chart/helm-engine.generated.json', 'utf8')) as { go: string }
    const required = readFileSync('src/engine/chart/engine/go.mod', 'utf8').matchAll(
      /^\t(\S+) (v\S+)(?: \/\/ indirect)?$/gm,
    )
    const modules = [...required].map(([, path, version]) => `pkg:golang/${path}@${version}`)
    const listed = sbom.components.filter(({ purl }) => purl.startsWith('pkg:golang/'))
    expect(listed.map(({ purl }) => purl)).to.have.members([`pkg:golang/stdlib@${go.replace('go', '')}`, ...modules])
    for (const { name, version, purl } of listed) expect(purl).to.equal(`pkg:golang/${name}@${version}`)
    const ofRolebook = sbom.dependencies.find(({ ref }) => ref === sbom.metadata.component['bom-ref'])
    expect(ofRolebook?.dependsOn).to.include.members(listed.map((component) => component['bom-ref']))
  })

  it('is that of rolebook, and the same whenever it is made', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
    expect(sbom.metadata.component).to.deep.include({ name: 'rolebook', version })
    expect(printed()).to.equal(text)
  })
})

function printed(): string {
  return execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}
