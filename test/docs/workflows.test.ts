import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { parse } from 'yaml'
import { type Job, type Jobs, MAKERS, missingArtifacts, missingFiles, type Step } from './workflow-files.ts'

const read = (path: string): string => readFileSync(path, 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
const jobsOf = (path: string): Jobs => (parse(read(path)) as { readonly jobs: Jobs }).jobs
const RELEASE = jobsOf('.github/workflows/release.yml')

/** A right that a step needs of its job. */
const RIGHTS: readonly { readonly of: (step: Step) => boolean; readonly needs: Readonly<Record<string, string>> }[] = [
  {
    of: ({ uses = '' }) => uses.startsWith('actions/attest-build-provenance@'),
    needs: { 'id-token': 'write', attestations: 'write' },
  },
  { of: ({ uses = '' }) => uses.startsWith('actions/deploy-pages@'), needs: { pages: 'write', 'id-token': 'write' } },
  { of: ({ run = '' }) => run.includes('--provenance'), needs: { 'id-token': 'write' } },
  { of: ({ run = '' }) => run.includes('skopeo login ghcr.io'), needs: { packages: 'write' } },
  { of: ({ run = '' }) => run.includes('gh release create'), needs: { contents: 'write' } },
  { of: ({ run = '' }) => /gh api "repos\/[^"]*\/pages"/.test(run), needs: { pages: 'read' } },
]

function missingRights([name, { steps = [], permissions = {} }]: readonly [string, Job]): readonly string[] {
  const needed = RIGHTS.filter((right) => steps.some(right.of)).flatMap(({ needs }) => Object.entries(needs))
  return needed.filter(([right, level]) => permissions[right] !== level).map(([right]) => `${name}: ${right}`)
}

/** The release workflow with one step changed. */
function changed(job: string, change: (step: Step) => Step | undefined): Jobs {
  const { steps = [], ...rest } = RELEASE[job] ?? {}
  return { ...RELEASE, [job]: { ...rest, steps: steps.flatMap((step) => change(step) ?? []) } }
}

describe('the workflows and what they call', () => {
  for (const path of globSync('.github/workflows/*.yml')) {
    const jobs = jobsOf(path)
    const runs = Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run }) => run ?? []))

    it(`call npm scripts that exist: ${path}`, () => {
      const called = runs.flatMap((run) =>
        [...run.matchAll(/npm run (?:--\w+ )*([\w:-]+)/g)].map(([, name = '']) => name),
      )
      expect(called.filter((name) => !(name in scripts))).to.deep.equal([])
    })

    it(`are scripts that a shell can read: ${path}`, () => {
      for (const run of runs) {
        const script = run.replace(/\$\{\{.*?\}\}/g, 'x')
        const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' })
        expect(status, `${stderr}${run}`).to.equal(0)
      }
    })

    it(`make each file before they need it: ${path}`, () => {
      expect(missingFiles(jobs)).to.deep.equal([])
      expect(missingArtifacts(jobs)).to.deep.equal([])
    })

    it(`have the rights that their steps need: ${path}`, () => {
      expect(Object.entries(jobs).flatMap(missingRights)).to.deep.equal([])
    })

    it(`wait for jobs that there are: ${path}`, () => {
      const names = Object.values(jobs).flatMap(({ needs = [] }) => [needs].flat())
      expect(names.filter((name) => !(name in jobs))).to.deep.equal([])
    })
  }

  it('know what the scripts write', () => {
    for (const { makes, source } of MAKERS) expect(read(source[0]), makes).to.include(source[1])
  })
})

describe('a release', () => {
  const steps = Object.values(RELEASE).flatMap((job) => job.steps ?? [])
  const runs = steps.flatMap(({ run }) => run ?? []).join('\n')
  const created = /gh release create .*/.exec(runs)?.[0] ?? ''

  const parts = [
    'rolebook-*.tgz',
    'rolebook-*.tar.gz',
    'rolebook.vsix',
    'sbom.cdx.json',
    'rolebook.krew.yaml',
    'rolebook.rb',
    'website.tar.gz',
  ]
  for (const part of parts) {
    it(`has ${part}, with its sum`, () => {
      expect(created.split(' ')).to.include.members([part, 'SHA256SUMS'])
      expect(/sha256sum .*/.exec(runs)?.[0].split(' ')).to.include(part)
    })
  }

  it('signs the provenance of all that holds code, and of the image', () => {
    const attested = steps.filter(({ uses = '' }) => uses.startsWith('actions/attest-build-provenance@'))
    const subjects = attested.flatMap(({ with: input = {} }) => (input['subject-path'] ?? 'image').trim().split(/\s+/))
    const expected = ['dist-executables/*.tar.gz', 'rolebook-*.tgz', 'rolebook.vsix', 'website.tar.gz', 'image']
    expect(subjects).to.have.members(expected)
  })

  it('pushes the image to a registry, and deploys the website', () => {
    expect(runs).to.match(/skopeo copy --all .* oci:image "docker:\/\//)
    expect(steps.map(({ uses = '' }) => uses.replace(/@.*/, ''))).to.include('actions/deploy-pages')
  })

  it('builds the website for the path at which the menu of later versions finds it', () => {
    expect(runs).to.include('new URL(process.argv[1]).pathname\' "$site/$version/"')
    expect(runs).to.include('value: "\\($site)/\\(.)/"')
  })

  const broken: readonly (readonly [string, Jobs, readonly string[]])[] = [
    [
      'the extension is not built',
      changed('pack', (step) => (step.run?.includes('package:vscode') ? undefined : step)),
      ['pack: rolebook.vsix', 'pack: rolebook.vsix', 'pack: rolebook.vsix'],
    ],
    [
      'the package comes after the list of sums',
      changed('pack', (step) => (step.run === 'npm pack' ? undefined : step)),
      ['pack: rolebook-*.tgz', 'pack: rolebook-*.tgz', 'pack: rolebook-*.tgz', 'pack: rolebook-*.tgz'],
    ],
    [
      'the image has no base',
      changed('image', (step) => (step.run?.includes('image-base') ? undefined : step)),
      ['image: base'],
    ],
    [
      'another folder is deployed',
      changed('website', (step) =>
        step.uses?.startsWith('actions/upload-pages') ? { ...step, with: { path: 'site' } } : step,
      ),
      ['website: site'],
    ],
  ]
  for (const [name, jobs, missing] of broken) {
    it(`is refused where ${name}`, () => expect(missingFiles(jobs)).to.deep.equal(missing))
  }

  it('is refused where a job downloads what no job before it uploads', () => {
    const { publish, ...others } = RELEASE
    expect(missingArtifacts({ ...others, publish: { ...publish, needs: 'check' } })).to.deep.equal(['publish: package'])
  })

  it('is refused where a job may not sign', () => {
    expect(missingRights(['pack', { ...RELEASE.pack, permissions: { contents: 'write' } }])).to.deep.equal([
      'pack: id-token',
      'pack: attestations',
      'pack: pages',
    ])
  })
})
