import fc from 'fast-check'
import type { ServerUnderTest } from '../server-under-test.ts'
import { type Action, actionsOn } from './actions.ts'
import { installDefinition, prepareNamespace } from './bench.ts'
import { customDefinition, customShapes } from './custom-schemas.ts'
import { type Difference, type Pair, runSequence } from './run-sequence.ts'
import { builtinSubjects, customSubject, type Subject } from './subject.ts'

export interface RandomOptions {
  readonly real: ServerUnderTest
  readonly sandbox: ServerUnderTest
  readonly seed: number
  readonly steps: number
  /** Sequences that go on side by side. Defaults to 6. */
  readonly lanes?: number | undefined
  /** Kinds of custom resources that are made for the run. Defaults to 24. */
  readonly customKinds?: number | undefined
  /** Only these kinds. */
  readonly only?: readonly string[] | undefined
  /** How long a sequence that shows a difference is shortened. Defaults to a minute. */
  readonly shrinkMs?: number | undefined
  readonly onProgress?: ((steps: number) => void) | undefined
}

export interface Found {
  readonly seed: number
  readonly path: string
  readonly subject: Subject
  readonly actions: readonly Action[]
  readonly difference: Difference
}

export interface RandomReport {
  readonly steps: number
  readonly sequences: number
  readonly found: readonly Found[]
}

interface Case {
  readonly subject: Subject
  readonly actions: readonly Action[]
}

const LONGEST = 14
const SHRINK_MS = 60_000

/** Sends random sequences to both servers. A sequence whose answers differ is made as short as can be. */
export async function runRandom(options: RandomOptions): Promise<RandomReport> {
  const { seed, lanes = 6, only } = options
  const namespace = `random-${seed}-${Math.random().toString(36).slice(2, 6)}`
  const pair = await prepareNamespace(options.real, options.sandbox, namespace)
  const all = [...builtinSubjects(), ...(await installCustomKinds(pair, options))]
  const subjects = all.filter(({ kind, custom }) => !only || only.includes(kind) || (custom && only.includes('custom')))
  const total: Count = { steps: 0, sequences: 0 }
  // Each has a share of its own: what is asked does not depend on who is faster.
  const share = Math.ceil(options.steps / lanes)
  const found = await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      runLane({ pair, subjects, count: { steps: 0, sequences: 0 }, total, share, options, seed: seed + lane }),
    ),
  )
  return { ...total, found: found.filter((one) => one !== undefined) }
}

async function installCustomKinds(
  pair: Pair,
  { seed, customKinds = 24, only }: RandomOptions,
): Promise<readonly Subject[]> {
  if (only && !only.includes('custom') && !only.some((kind) => kind.startsWith('Random'))) return []
  const shapes = fc.sample(customShapes, { seed, numRuns: customKinds })
  const subjects = await Promise.all(
    shapes.map(async (shape, index) => {
      const definition = customDefinition(shape, `${pair.namespace}.test`, index)
      return (await installDefinition(pair, definition)) ? [customSubject(shape, definition)] : []
    }),
  )
  return subjects.flat()
}

interface Count {
  steps: number
  sequences: number
}

interface Lane {
  readonly pair: Pair
  readonly subjects: readonly Subject[]
  readonly count: Count
  /** Of all lanes. */
  readonly total: Count
  /** Steps after which the lane ends. */
  readonly share: number
  readonly options: RandomOptions
  readonly seed: number
}

let names = 0

/** Sequences of one seed. */
const BATCH = 25
/** Between the seeds of two batches of a lane. */
const STRIDE = 1000

async function runLane(lane: Lane): Promise<Found | undefined> {
  const cases = casesOf(lane.subjects)
  for (let seed = lane.seed; lane.count.steps < lane.share; seed += STRIDE) {
    const found = await runBatch({ ...lane, seed }, cases)
    if (found) return found
  }
  return undefined
}

async function runBatch(lane: Lane, cases: fc.Arbitrary<Case>): Promise<Found | undefined> {
  const { pair, count, share, options, seed } = lane
  let last: Difference | undefined
  let shrinkUntil = Number.POSITIVE_INFINITY
  const property = fc.asyncProperty(cases, async ({ subject, actions }) => {
    if (last === undefined ? count.steps >= share : performance.now() > shrinkUntil) return
    const { steps, difference } = await runSequence(pair, subject, `r${names++}`, actions)
    for (const each of [count, lane.total]) {
      each.steps += steps
      each.sequences++
    }
    options.onProgress?.(lane.total.steps)
    if (difference === undefined) return
    if (last === undefined) shrinkUntil = performance.now() + (options.shrinkMs ?? SHRINK_MS)
    last = difference
    throw new Error('the answers differ')
  })
  const details = await fc.check(property, { seed, numRuns: BATCH })
  if (!details.failed || details.counterexample === null || last === undefined) return undefined
  const [{ subject, actions }] = details.counterexample
  const { difference = last } = await runSequence(pair, subject, `r${names++}`, actions)
  return { seed, path: details.counterexamplePath ?? '', subject, actions, difference }
}

function casesOf(subjects: readonly Subject[]): fc.Arbitrary<Case> {
  const ofKinds = subjects.map((subject) =>
    fc
      .array(actionsOn(subject), { minLength: 1, maxLength: LONGEST, size: 'max' })
      .map((actions): Case => ({ subject, actions })),
  )
  return fc.oneof(...ofKinds)
}
