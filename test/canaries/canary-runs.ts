import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { KubeObject } from '../../src/core/kube/object.ts'
import type { Project } from '../../src/engine/operator/project.ts'
import { Metrics } from '../../src/engine/runtime/metrics.ts'
import { builtinTaskKinds } from '../../src/engine/tasks/builtin-task-kinds.ts'
import { loadProject } from '../../src/rolebook/config/load-project.ts'
import { type Identities, randomIdentities } from '../../src/sandbox/apiserver/write/identities.ts'
import { Dice } from '../support/dice.ts'
import { OperatorSandbox, SECRET } from '../support/operator-sandbox.ts'
import { RecordedLog } from '../support/secret-sinks.ts'
import { leakyClient } from './leaky-client.ts'
import { type Place, placesOf } from './places.ts'
import { type RandomRole, randomRole } from './random-role.ts'
import { diffInRound, publishedInRound, renderInRound } from './sinks.ts'
import { Traces } from './traces.ts'

export interface CanaryReport {
  readonly runs: number
  /** Runs by the name of the place where the canary stood. */
  readonly places: ReadonlyMap<string, number>
  /** Ends of runs, by outcome. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly characters: number
  readonly leaks: readonly CanaryLeak[]
}

export interface CanaryLeak {
  readonly place: string
  readonly sink: string
  readonly form: string
  readonly around: string
  readonly role: string
}

export interface CanaryOptions {
  readonly runs: number
  readonly seed: number
  /** Roles that run at once. Defaults to 20. */
  readonly width?: number | undefined
  readonly onProgress?: ((runs: number, found: readonly CanaryLeak[]) => void) | undefined
}

/** One resource with a role and a secret of its own. */
interface Slot {
  readonly name: string
  readonly canary: string
  readonly place: Place
  readonly role: RandomRole
}

/** Text as people choose passwords, which YAML, JSON and URLs print in different ways. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 /+=&"\'\\-_.:äß€'
const PLAIN = 'abcdefghijkmnpqrstuvwxyz23456789'
const DIGITS = '0123456789'

const ROUNDS_OF_A_SERVER = 25

/** Runs random roles, each on a secret of its own, and searches everything that the operator publishes for the secrets. */
export async function runCanaries({ runs, seed, width = 20, onProgress }: CanaryOptions): Promise<CanaryReport> {
  const dice = new Dice(seed)
  const total = { runs: 0, characters: 0, places: new Map<string, number>(), outcomes: new Map<string, number>() }
  const leaks: CanaryLeak[] = []
  while (total.runs < runs) {
    const sandbox = await OperatorSandbox.start({ workloads: false, identities: countedIdentities() })
    try {
      for (let round = 0; round < ROUNDS_OF_A_SERVER && total.runs < runs; round++) {
        const found = await runRound(sandbox, { dice, round, width: Math.min(width, runs - total.runs), total })
        leaks.push(...found)
        onProgress?.(total.runs, found)
      }
    } finally {
      await sandbox.stop()
    }
  }
  return { ...total, leaks }
}

/**
 * The server's own uids are no secrets, but eight digits of a random one may well be those of a canary: it happens in one of
 * some twenty proofs.
 */
function countedIdentities(): Identities {
  let count = 0
  return { ...randomIdentities, uidOf: () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}` }
}

interface Round {
  readonly dice: Dice
  readonly round: number
  readonly width: number
  readonly total: { runs: number; characters: number; places: Map<string, number>; outcomes: Map<string, number> }
}

async function runRound(
  sandbox: OperatorSandbox,
  { dice, round, width, total }: Round,
): Promise<readonly CanaryLeak[]> {
  const slots = Array.from({ length: width }, (_, index) => newSlot(dice, `c${round}-${index}`, total.runs + index))
  const { project, slots: sound } = await projectOfSlots(slots, dice)
  for (const slot of sound) await prepare(sandbox, slot)
  const sources = { sandbox, log: new RecordedLog(), metrics: new Metrics({ version: 'test' }) }
  const traces = new Map(sound.map((slot) => [slot.name, tracesOf(slot, slot.canary)]))
  const holds = (text: string): boolean => [...traces.values()].some((one) => one.in(text) !== undefined)
  sandbox.runs.length = 0
  sandbox.warnings.length = 0
  sandbox.run(project, {
    client: leakyClient(sandbox.client, dice, holds),
    logger: sources.log.logger,
    metrics: sources.metrics,
  })
  await untilAllRan(sandbox, sound.length)
  const generated = await Promise.all(sound.map((slot) => generatedBy(sandbox, slot)))
  const before = await publishedInRound(sources)
  // Each resource has a role, and each role is run once more.
  const diff = (round & 3) === 0 ? await diffInRound(sources, project) : ''
  const rendering = (round & 3) === 0 ? await renderInRound(sources, project, sound.flatMap(givenTo)) : ''
  for (const { name } of sound) await removeWidget(sandbox, name)
  await sandbox.settled()
  const after = await publishedInRound(sources)
  await sandbox.halt()
  for (const { outcome } of sandbox.runs) count(total.outcomes, outcome)
  for (const { place } of sound) count(total.places, place.name)
  total.runs += sound.length
  const leaks: CanaryLeak[] = []
  for (const [sink, text] of [...before, ['diff', diff] as const, ['render', rendering] as const, ...after]) {
    total.characters += text.length
    for (const [index, slot] of sound.entries()) {
      const made = generated[index]
      const searched = made === undefined ? [traces.get(slot.name)] : [traces.get(slot.name), tracesOf(slot, made)]
      for (const one of searched) {
        const hit = one?.in(text)
        if (hit) leaks.push({ place: slot.place.name, sink, ...hit, role: slot.role.files['role.yaml'] ?? '' })
      }
    }
  }
  return leaks
}

/** A run hides the value, and what the role makes of it as far as `check` can follow the value. */
function tracesOf({ place, role }: Slot, value: string): Traces {
  return new Traces(place.isLaundered ? [value] : [value, ...role.madeOf(value)])
}

/** On a machine with much else to do that takes its time. */
async function untilAllRan(sandbox: OperatorSandbox, resources: number): Promise<void> {
  const ran = (): number => new Set(sandbox.runs.map(({ request }) => request.namespace)).size
  for (let looks = 0; looks < 1000; looks++) {
    await sandbox.settled()
    if (ran() === resources) return
  }
  throw new Error(`only ${ran()} of ${resources} resources were looked at`)
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function newSlot(dice: Dice, name: string, index: number): Slot {
  const canary = newCanary(dice)
  const places = placesOf(canary)
  const place = places[index % places.length] as Place
  return { name, canary, place, role: randomRole(dice, place) }
}

function newCanary(dice: Dice): string {
  const kind = dice.below(8)
  // Names of objects take no other letters: some canaries can become one, and some a number.
  if (kind < 2) return dice.text(PLAIN, 24)
  if (kind === 2) return dice.text(DIGITS, 15)
  return dice
    .text(LETTERS, 14 + dice.below(30))
    .trim()
    .padEnd(12, 'q7Z')
}

/** Roles that `check` refuses are made anew. */
async function projectOfSlots(
  slots: readonly Slot[],
  dice: Dice,
): Promise<{ project: Project; slots: readonly Slot[] }> {
  let current = [...slots]
  for (let attempt = 0; attempt < 60; attempt++) {
    const { project, refused } = await load(current)
    if (project) return { project, slots: current }
    current = current.map((slot) => (refused.has(slot.name) ? { ...slot, role: randomRole(dice, slot.place) } : slot))
  }
  throw new Error('no role was found that check takes')
}

async function load(slots: readonly Slot[]): Promise<{ project?: Project | undefined; refused: ReadonlySet<string> }> {
  const folder = mkdtempSync(join(tmpdir(), 'rolebook-canaries-'))
  try {
    const watches = slots.map(
      ({ name }) =>
        `- {group: example.com, version: v1, kind: Widget, role: ${name}, selector: {matchLabels: {slot: ${name}}}}\n`,
    )
    writeFileSync(join(folder, 'watches.yaml'), watches.join(''))
    for (const { name, role } of slots) {
      for (const [path, text] of Object.entries(role.files)) {
        const target = join(folder, 'roles', name, path)
        mkdirSync(dirname(target), { recursive: true })
        writeFileSync(target, text)
      }
    }
    const paths = { watchesFile: join(folder, 'watches.yaml'), rolesPath: join(folder, 'roles') }
    const { project, diagnostics } = await loadProject({ ...paths, environment: {}, kinds: builtinTaskKinds })
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    const refused = new Set(errors.map(({ file }) => /roles\/([^/]+)\//.exec(file)?.[1] ?? file))
    return { project, refused }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function prepare(sandbox: OperatorSandbox, slot: Slot): Promise<void> {
  await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: slot.name } })
  for (const object of givenTo(slot)) await sandbox.apply(object)
}

/** What is there before the role runs. */
function givenTo({ name, place }: Slot): readonly KubeObject[] {
  const theirs: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'theirs' }, data: { a: 'b' } }
  const widget: KubeObject = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', labels: { slot: name } },
    spec: {},
  }
  return [...place.objects, theirs, widget].map((object) => {
    return { ...object, metadata: { ...object.metadata, namespace: name } }
  })
}

async function generatedBy(sandbox: OperatorSandbox, { name, place }: Slot): Promise<string | undefined> {
  if (!place.isGenerated) return undefined
  const own = await sandbox.get(SECRET, 'own', name)
  const { k } = (own?.data ?? {}) as { k?: string }
  return k === undefined ? undefined : Buffer.from(k, 'base64').toString()
}

async function removeWidget(sandbox: OperatorSandbox, namespace: string): Promise<void> {
  const gvk = { group: 'example.com', version: 'v1', kind: 'Widget' }
  await sandbox.client.delete(gvk, { namespace, name: 'w' }, { propagationPolicy: 'Background' })
}
