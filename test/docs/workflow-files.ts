/** Which files the steps of a workflow make, and which they need. */
import { matchesGlob } from 'node:path'

export interface Step {
  readonly name?: string
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, string>>
}

export interface Job {
  readonly uses?: string
  readonly needs?: string | readonly string[]
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps?: readonly Step[]
}

export type Jobs = Readonly<Record<string, Job>>

/** A command that makes a file whose path does not stand in it, and where that path stands. */
interface Maker {
  readonly command: RegExp
  readonly makes: string
  /** The program that makes it, with the text by which one sees that it does. */
  readonly source: readonly [string, string]
}

export const MAKERS: readonly Maker[] = [
  { command: /npm pack$/m, makes: 'rolebook-*.tgz', source: ['package.json', '"name": "rolebook"'] },
  {
    command: /npm run package:vscode/,
    makes: 'dist-vscode/rolebook.vsix',
    source: ['bin/package-vscode.ts', 'dist-vscode/rolebook.vsix'],
  },
  {
    command: /npm run build:executable -- --archive/,
    makes: 'dist-executables/*.tar.gz',
    source: ['bin/build-executable.ts', "'dist-executables'"],
  },
  { command: /npm run docs/, makes: 'docs/site/dist', source: ['bin/site.ts', 'docs/site/dist'] },
  { command: /npm run build$/m, makes: 'dist', source: ['bin/build.ts', "'dist'"] },
]

/** A file, or a pattern for some. */
type Files = readonly string[]

/** What a step leaves in the folder of its job. */
export function filesMadeBy({ uses = '', run = '', with: input = {} }: Step): Files {
  const written = [...run.matchAll(/(?:(?<!<)>|--output|--digestfile) "?([\w./*-]+)/g)].map(([, path = '']) => path)
  const packed = [...run.matchAll(/tar -czf (\S+)/g)].map(([, path = '']) => path)
  const moved = [...run.matchAll(/^\s*mv (\S+) \.$/gm)].map(([, path = '']) => path.slice(path.lastIndexOf('/') + 1))
  const made = [...run.matchAll(/mkdir -p (\w+)/g)].map(([, path = '']) => path)
  const built = MAKERS.filter(({ command }) => command.test(run)).map(({ makes }) => makes)
  const downloaded = uses.startsWith('actions/download-artifact@') ? [input.path ?? '*'] : []
  return [...written, ...packed, ...moved, ...made, ...built, ...downloaded]
}

const UPLOADS = ['actions/upload-artifact@', 'actions/upload-pages-artifact@', 'actions/attest-build-provenance@']

/** What must be there before a step. */
export function filesNeededBy({ uses = '', run = '', with: input = {} }: Step): Files {
  const uploaded = UPLOADS.some((action) => uses.startsWith(action))
    ? [input.path, input['subject-path']].flatMap((paths) => paths?.trim().split(/\s+/) ?? [])
    : []
  const [, listed = ''] = /(?:sha256sum|--notes-file) (.*)/.exec(run.replace(/ > \S+/g, '')) ?? []
  const published = [...run.matchAll(/npm publish \.\/(\S+)/g)].map(([, path = '']) => path)
  const taken = [...run.matchAll(/^\s*mv (\S+) \.$/gm)].map(([, path = '']) => path)
  const programs = [...run.matchAll(/bin\/(?:homebrew-formula|website-versions)\.ts (\S+)/g)].map(
    ([, path = '']) => path,
  )
  const bases = [...run.matchAll(/--base (\S+)|oci:(\w+)/g)].map(([, base, image]) => base ?? image ?? '')
  return [...uploaded, ...(listed === '' ? [] : listed.split(' ')), ...published, ...taken, ...programs, ...bases]
}

/** Files that a step of a job needs and no earlier step of it makes, as `job: file`. */
export function missingFiles(jobs: Jobs): Files {
  return Object.entries(jobs).flatMap(([name, { steps = [] }]) => {
    const made: string[] = []
    return steps.flatMap((step) => {
      // A script may need what its own lines above make.
      const there = step.run === undefined ? made : [...made, ...filesMadeBy(step)]
      const missing = filesNeededBy(step).filter((file) => !there.some((one) => isSame(one, file)))
      made.push(...filesMadeBy(step))
      return missing.map((file) => `${name}: ${file}`)
    })
  })
}

function isSame(made: string, needed: string): boolean {
  return matchesGlob(needed, made) || matchesGlob(made, needed) || needed.startsWith(`${made}/`)
}

/** Artefacts that a job downloads and no job before it uploads, as `job: name`. */
export function missingArtifacts(jobs: Jobs): Files {
  const uploadedBy = (name: string): Files => [
    ...artifactsOf(jobs[name], 'actions/upload-artifact@'),
    ...before(jobs[name]).flatMap(uploadedBy),
  ]
  return Object.entries(jobs).flatMap(([name, job]) => {
    const uploaded = before(job).flatMap(uploadedBy)
    const wanted = artifactsOf(job, 'actions/download-artifact@')
    return wanted.filter((one) => !uploaded.some((other) => isSame(other, one))).map((one) => `${name}: ${one}`)
  })
}

function before(job: Job | undefined): Files {
  return [job?.needs ?? []].flat()
}

/** With a part that is known at run time alone as a pattern. */
function artifactsOf(job: Job | undefined, action: string): Files {
  const steps = (job?.steps ?? []).filter(({ uses = '' }) => uses.startsWith(action))
  return steps.map(({ with: input = {} }) => (input.name ?? input.pattern ?? '*').replace(/\$\{\{.*?\}\}/g, '*'))
}
