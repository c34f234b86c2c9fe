import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

describe('the list of what is in the image', function () {
  this.timeout(300_000)

  it('names every dependency with its version, and none that is for development alone', () => {
    const text = execFileSync('npm', ['run', '--silent', 'sbom'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const { bomFormat, components } = JSON.parse(text) as {
      bomFormat: string
      components: readonly { readonly group?: string; readonly name: string; readonly version: string }[]
    }
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
    const listed = components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name} ${version}`)
    expect(bomFormat).to.equal('CycloneDX')
    expect(listed).to.include.members(Object.entries(dependencies).map(([name, version]) => `${name} ${version}`))
    for (const name of ['mocha', 'esbuild', 'typescript', 'c8']) {
      expect(devDependencies).to.have.property(name)
      expect(components.map((component) => component.name)).to.not.include(name)
    }
  })
})
