import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'

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
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly purl: string
}

interface Manifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

describe('the list of what is in the image', function () {
  this.timeout(300_000)

  let text: string
  let sbom: Sbom

  before(() => {
    text = printed()
    sbom = JSON.parse(text)
  })

  it('names every dependency with its version, and none that is for development alone', () => {
    const { bomFormat, components } = sbom
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
    const listed = components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name} ${version}`)
    expect(bomFormat).to.equal('CycloneDX')
    expect(listed).to.include.members(Object.entries(dependencies).map(([name, version]) => `${name} ${version}`))
    for (const name of ['mocha', 'esbuild', 'typescript', 'c8']) {
      expect(devDependencies).to.have.property(name)
      expect(components.map((component) => component.name)).to.not.include(name)
    }
  })

  it('names Go and every module that the renderer of charts is compiled of, as what rolebook depends on', () => {
    const { go } = JSON.parse(readFileSync('src/chart/helm-engine.generated.json', 'utf8')) as { go: string }
    const required = readFileSync('src/chart/engine/go.mod', 'utf8').matchAll(/^\t(\S+) (v\S+)(?: \/\/ indirect)?$/gm)
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
