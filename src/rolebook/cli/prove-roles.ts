import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../core/base/clock.ts'
import { FakeClock } from '../../core/base/fake-clock.ts'
import type { JsonObject } from '../../core/base/json.ts'
import { printableText } from '../../core/base/printable-text.ts'
import { formatGroupKind, type Gvk } from '../../core/kube/group-version-kind.ts'
import type { BuiltinSchemas } from '../../core/schema/builtin-schemas.ts'
import type { Schema } from '../../core/schema/schema.ts'
import type { Project, WatchedRole } from '../../engine/operator/project.ts'
import type { ProjectOptions } from '../config/load-project.ts'
import { projectSchemas } from '../config/project-schemas.ts'
import { sharedHelmRenderer } from '../library/helm-renderer.ts'
import type { Stage } from '../prove/life.ts'
import { type Counterexample, type Proof, proveRole } from '../prove/prove-role.ts'
import { printCounterexample, roleTestOf } from '../prove/written-counterexample.ts'
import { KindNames } from '../role-test/kind-names.ts'
import { printJunit } from '../role-test/print-junit.ts'
import type { ReportedResult } from '../role-test/test-result.ts'
import { TrialServer } from '../trial/trial-server.ts'
import { openProject } from './open-project.ts'
import { EXIT, type ExitCode, type Terminal } from './terminal.ts'

export interface ProveOptions {
  readonly files: ProjectOptions
  readonly terminal: Terminal
  readonly schemas: BuiltinSchemas
  /** Absent: all. */
  readonly role?: string | undefined
  readonly seed: number
  readonly cases: number
  /** The number of the one case to live. Absent: all. */
  readonly only?: number | undefined
  readonly reporter: 'table' | 'junit' | 'json'
}

interface RoleProof extends ReportedResult {
  readonly kind: string
  readonly proof: Proof
}

/** Proves the roles of a project, one after the other, and prints what became of them. */
export async function proveRoles(options: ProveOptions): Promise<ExitCode> {
  const { files, terminal, role, reporter, cases, seed } = options
  const project = await openProject(files, terminal)
  if (!project) return EXIT.usage
  const entries = project.watches.filter(({ watch }) => role === undefined || watch.role === role)
  if (entries.length === 0) {
    terminal.err(`rolebook prove: ${noEntry(role, project)}\n`)
    return EXIT.usage
  }
  const server = await TrialServer.start(options.schemas, new FakeClock(), project.crds)
  const known = { project, server, ...kindsOf(project, options.schemas) }
  const proofs: RoleProof[] = []
  try {
    for (const entry of entries) {
      if (terminal.stopped.aborted) break
      const proof = await proveEntry(entry, { ...options, ...known })
      proofs.push(proof)
      if (reporter === 'table') terminal.out(printProof(proof))
    }
  } finally {
    await server.stop()
  }
  if (reporter === 'table') terminal.out(printTotal(proofs, seed))
  else terminal.out(reporter === 'junit' ? printJunit(proofs) : printJson(proofs, seed))
  const isCutShort =
    proofs.length < entries.length ||
    proofs.some(
      ({ proof, failures }) => failures.length === 0 && proof.cases < (options.only === undefined ? cases : 1),
    )
  if (isCutShort) terminal.err('rolebook prove: stopped before the last case\n')
  return isCutShort || proofs.some(({ failures }) => failures.length > 0) ? EXIT.failure : EXIT.ok
}

/** A project has an entry: one without a given role has others. */
function noEntry(role: string | undefined, { watches }: Project): string {
  const roles = new Set(watches.map(({ watch }) => watch.role))
  return `no entry of watches.yaml has the role ${role}: there are ${[...roles].join(', ')}`
}

interface KnownKinds {
  readonly kinds: KindNames
  readonly schemaOf: (gvk: Gvk) => Schema | undefined
}

/** Those of every server and those of the project. */
function kindsOf({ crds }: Project, schemas: BuiltinSchemas): KnownKinds {
  const known = projectSchemas(
    { builtin: schemas },
    crds.map((object) => ({ object: object as JsonObject })),
  )
  return { kinds: new KindNames(schemas, crds), schemaOf: (gvk) => known.get(gvk) }
}

type EntryOptions = ProveOptions & KnownKinds & { readonly project: Project; readonly server: TrialServer }

async function proveEntry(entry: WatchedRole, options: EntryOptions): Promise<RoleProof> {
  const { project, schemas, files, terminal, server, seed, cases, only, kinds, schemaOf } = options
  const begun = systemClock.monotonic()
  const { gvk, role } = entry.watch
  const stage: Stage = { project, entry, kinds, schemas, charts: sharedHelmRenderer() }
  const progress = new Progress(terminal, role, cases)
  const proof = await proveRole({
    ...{ stage, server, schema: schemaOf(gvk), samples: samplesOf(project, role), seed, cases, only },
    stopped: terminal.stopped,
    onCase: (done) => progress.show(`${done} of ${cases} cases`),
    onShrink: () => progress.show('a property is broken: making the case smaller'),
  })
  progress.clear()
  const rolePath = join(files.rolesPath, role)
  const found = proof.counterexample
  const failures = found ? [await written(found, { stage, rolePath, seed })] : []
  const path = failures[0]?.file ?? join(rolePath, 'role.yaml')
  const milliseconds = systemClock.monotonic() - begun
  return { test: { path, role }, kind: formatGroupKind(gvk), proof, failures, milliseconds }
}

/** What stands with the role: resources of its kind, and what they need around them. */
function samplesOf({ samples }: Project, role: string) {
  return samples.filter(({ path }) => path.split(/[\\/]/).includes(role)).flatMap(({ objects }) => objects)
}

interface WrittenOptions {
  readonly stage: Stage
  readonly rolePath: string
  readonly seed: number
}

/** Writes the role test that shows a counterexample. */
async function written(found: Counterexample, { stage, rolePath, seed }: WrittenOptions) {
  const { property, what } = found.violation
  const command = `rolebook prove ${stage.entry.watch.role} --seed ${seed} --case ${found.number}`
  const body = await roleTestOf(found, stage)
  const folder = join(rolePath, 'tests')
  const numbers = Array.from({ length: 1000 }, (_, index) => join(folder, `counterexample-${index + 1}.yaml`))
  const file = numbers.find((path) => !existsSync(path)) as string
  const rest = { line: 1, column: 1, step: property, title: what }
  if (!body)
    return { ...rest, file: join(rolePath, 'role.yaml'), details: ['no role test shows it by itself', command] }
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, printCounterexample(body, { command, found }))
  return { ...rest, file, details: [`case ${found.number}, made small, is now this role test`] }
}

function printProof({ test: { role }, kind, proof, failures, milliseconds }: RoleProof): string {
  const { cases, refused } = proof
  const little = refused === 0 ? '' : `, ${refused} of them not made ready`
  const seconds = `${(milliseconds / 1000).toFixed(1)} s`
  const head = `${failures.length === 0 ? 'ok  ' : 'FAIL'} ${role} (${kind})  ${count(cases, 'case')}${little}  ${seconds}\n`
  const lines = failures.flatMap(({ step, title, file, details }) => [
    `  it does not hold that ${step}: ${printableText(title)}`,
    ...details.map((line) => `  ${file}: ${line}`),
  ])
  return head + lines.map((line) => `${line}\n`).join('')
}

/** `2 roles: 1 holds, 1 does not; 1,012 cases, 8.1 a second, seed 1` */
function printTotal(proofs: readonly RoleProof[], seed: number): string {
  const broken = proofs.filter(({ failures }) => failures.length > 0).length
  const cases = proofs.reduce((sum, { proof }) => sum + proof.cases, 0)
  const seconds = proofs.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000
  const roles = `${count(proofs.length, 'role')}: ${proofs.length - broken} proven, ${broken} failed`
  return `${roles}; ${count(cases, 'case')}, ${(cases / Math.max(seconds, 0.001)).toFixed(1)} a second, seed ${seed}\n`
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

function printJson(proofs: readonly RoleProof[], seed: number): string {
  const shown = proofs.map(({ test, kind, proof: { cases, refused }, failures, milliseconds }) => ({
    ...{ file: test.path, role: test.role, kind, passed: failures.length === 0 },
    ...{ seed, cases, refused, milliseconds: Math.round(milliseconds), failures },
  }))
  return `${JSON.stringify(shown, null, 2)}\n`
}

/** Milliseconds between two states of the line that says how far it is. */
const REDRAW = 200

/** A line of a terminal that says how far a role is. */
class Progress {
  readonly #terminal: Terminal
  readonly #role: string
  #shownAt = Number.NEGATIVE_INFINITY

  constructor(terminal: Terminal, role: string, cases: number) {
    this.#terminal = terminal
    this.#role = role
    this.show(`0 of ${cases} cases`)
  }

  show(text: string): void {
    const now = systemClock.monotonic()
    if (!this.#terminal.interactive || now - this.#shownAt < REDRAW) return
    this.#shownAt = now
    this.#terminal.err(`\r\u001b[2K${this.#role}: ${text}`)
  }

  clear(): void {
    if (this.#terminal.interactive) this.#terminal.err('\r\u001b[2K')
  }
}
