import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { parse } from 'yaml'
import { notesOf, releasesIn } from '../../bin/reference/changelog.ts'
import { LONG } from '../support/long-tests.ts'

const read = (path: string): string => readFileSync(path, 'utf8')
const manifest = JSON.parse(read('package.json')) as {
  readonly version: string
  readonly scripts: Readonly<Record<string, string>>
  readonly engines: { readonly node: string }
  readonly devDependencies: Readonly<Record<string, string>>
}
const required = manifest.engines.node.replace('>=', '')
const workflows = globSync('.github/workflows/*.yml').map((path) => ({ path, text: read(path) }))

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly uses?: string; readonly steps?: readonly Step[] }>>
}

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, string>>
}

const stepsOf = (text: string): readonly Step[] =>
  Object.values((parse(text) as Workflow).jobs).flatMap(({ steps = [], ...job }) => [job, ...steps])

describe('the versions of Node', () => {
  const node = read('.nvmrc').trim()

  it('are the same in .nvmrc and among the development dependencies', () => {
    expect(node).to.equal(manifest.devDependencies.node)
  })

  it('are new enough for the package', () => {
    const [major = 0, minor = 0] = node.split('.').map(Number)
    const [leastMajor = 0, leastMinor = 0] = required.split('.').map(Number)
    expect(major > leastMajor || (major === leastMajor && minor >= leastMinor)).to.equal(true)
  })

  it('are the oldest that the package supports in the build and in the README', () => {
    expect(read('bin/bundle.ts')).to.include(`target: 'node${required}'`)
    expect(read('README.md')).to.include(`rolebook needs Node ${required} or newer`)
  })
})

describe('the tests that take long', () => {
  const chosenBy = (script: string): string | undefined => / --grep '([^']+)'/.exec(manifest.scripts[script] ?? '')?.[1]

  it('are left out by npm test and run by npm run test:long, by the mark that they have', () => {
    for (const script of ['test', 'test:long']) expect(LONG).to.match(new RegExp(`^${chosenBy(script)}$`))
    expect(manifest.scripts.test).to.match(/ --invert$/)
    expect(manifest.scripts['test:long']).not.to.include('--invert')
  })
})

describe('the workflows', () => {
  it('take their Node from .nvmrc', () => {
    const setups = workflows.flatMap(({ text }) => stepsOf(text)).filter(({ uses = '' }) => uses.includes('setup-node'))
    expect(setups.length).to.be.greaterThan(1)
    for (const step of setups) expect(step.with).to.include({ 'node-version-file': '.nvmrc' })
  })

  it('take the Go that the modules of the control plane need', () => {
    const [setup] = stepsOf(read('.github/workflows/ci.yml')).filter(({ uses = '' }) => uses.includes('setup-go'))
    const needed = globSync('{test/control-plane/*,bench/cluster/go}/go.mod').map(
      (path) => /^go (\d+\.\d+)/m.exec(read(path))?.[1],
    )
    expect([...new Set(needed)]).to.deep.equal([setup?.with?.['go-version']])
  })

  it('run .ci/run, also before a release', () => {
    expect(stepsOf(read('.github/workflows/ci.yml')).map(({ run }) => run)).to.include('.ci/run')
    expect(stepsOf(read('.github/workflows/release.yml')).map(({ uses }) => uses)).to.include(
      './.github/workflows/ci.yml',
    )
  })

  it('name each action by its major version, and programs that exist', () => {
    for (const { path, text } of workflows) {
      for (const { uses, run } of stepsOf(text)) {
        if (uses !== undefined && !uses.startsWith('./')) expect(uses, path).to.match(/^[\w-]+\/[\w-]+@v\d+$/)
        for (const [file] of run?.matchAll(/\bbin\/[\w-]+\.ts/g) ?? []) expect(existsSync(file), file).to.equal(true)
      }
    }
  })
})

describe('the pages for contributors', () => {
  const pages = ['CONTRIBUTING.md', ...globSync('{docs/contributing,.github}/**/*.md')]

  for (const path of pages) {
    it(`name files and scripts that exist: ${path}`, () => {
      const text = read(path)
      const files = [...text.matchAll(/`((?:src|bin|test|docs|deploy|roles|schemas|examples)\/[^`\s<>*]*)`/g)]
      expect(files.map(([, file = '']) => file).filter((file) => !existsSync(file))).to.deep.equal([])
      const scripts = [...text.matchAll(/npm run ([\w:-]*\w)/g)].map(([, script = '']) => script)
      expect(scripts.filter((script) => !(script in manifest.scripts))).to.deep.equal([])
    })
  }
})

describe('the changelog', () => {
  const releases = releasesIn(read('CHANGELOG.md'))

  it('begins with what is not released, and has the version of the package with its date', () => {
    const [first] = releases
    expect(first?.version).to.be.oneOf(['Unreleased', manifest.version])
    expect(notesOf(manifest.version, read('CHANGELOG.md'))).to.be.a('string')
  })

  it('has headings of Keep a Changelog', () => {
    const headings = releases.flatMap(({ notes }) => [...notes.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading))
    expect(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']).to.include.members(headings)
  })

  it('gives the notes of a version that has a date, and of no other', () => {
    const text =
      '# Changelog\n\n## Unreleased\n\n- c\n\n## 1.1.0 - 2026-01-02\n\n### Added\n\n- b\n\n## 1.0.0 - 2026-01-01\n\n- a\n'
    expect(notesOf('1.1.0', text)).to.equal('### Added\n\n- b')
    expect(notesOf('1.0.0', text)).to.equal('- a')
    expect(notesOf('Unreleased', text)).to.equal(undefined)
    expect(notesOf('2.0.0', text)).to.equal(undefined)
  })
})
