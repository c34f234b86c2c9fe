import { seededRandom } from '../../src/sandbox/apiserver/faults/rule-counter.ts'
import type { ArmedFault, SeenRequest } from './fault-gate.ts'
import { LIFE, type Step } from './life.ts'
import type { PreparedRole } from './prepared-role.ts'
import { SandboxStage, type SandboxStageOptions } from './sandbox-stage.ts'
import type { Stage } from './stage.ts'
import type { StatusMoment, Witness } from './witness.ts'

/** What was seen of one step. */
export interface StepEvidence {
  readonly step: Step
  /** Everything that is in the cluster at its end, masked. */
  readonly snapshot: readonly string[]
  /** What the children are at its end. */
  readonly content: readonly string[]
  readonly moments: readonly StatusMoment[]
  /** How often children were made and removed, and values of Secrets changed, since the life began. */
  readonly created: ReadonlyMap<string, number>
  readonly deleted: ReadonlyMap<string, number>
  readonly changedValues: ReadonlyMap<string, number>
  readonly requests: readonly SeenRequest[]
  /** Children whose owner is gone. */
  readonly orphans: readonly string[]
}

/** What was seen of a life. */
export interface LifeEvidence {
  readonly steps: readonly StepEvidence[]
  /** Version of the object that no resource owns, at its creation and at the end. */
  readonly bystander: readonly [string | undefined, string | undefined]
  readonly requests: readonly SeenRequest[]
  readonly secrets: ReadonlySet<string>
  readonly published: ReadonlySet<string>
  readonly problems: readonly string[]
  readonly eventReasons: ReadonlySet<string>
  readonly faults: readonly ArmedFault[]
}

/**
 * Milliseconds of the clock after which a cluster that is not what it should be counts as one that never will: the longest
 * pause after a failure that only a person can mend, which is an hour, with its jitter.
 */
const PATIENCE = 95 * 60_000

/** Lives one life in a sandbox. */
export async function runLife(options: SandboxStageOptions, reference?: LifeEvidence): Promise<LifeEvidence> {
  const { random } = Math
  // What waits in the engine is spread by chance: here by the same one in each life.
  Math.random = seededRandom(1)
  const stage = await SandboxStage.open(options)
  const failed = (error: unknown): void =>
    void stage.problems.push(`unhandled: ${error instanceof Error ? error.stack : error}`)
  process.on('unhandledRejection', failed)
  try {
    return await live(stage, options.role, { life: LIFE, reference, patience: PATIENCE })
  } finally {
    await stage.close()
    process.off('unhandledRejection', failed)
    Math.random = random
  }
}

export interface LiveOptions {
  readonly life: readonly Step[]
  /** Absent: this is the one that others are compared with. */
  readonly reference?: LifeEvidence | undefined
  /** Milliseconds that a step may take to come to its end. */
  readonly patience: number
}

/**
 * Lives a life, each step until the cluster is what it was after that step in the reference, and no further than to the
 * first step in which it never is.
 */
export async function live(stage: Stage, role: PreparedRole, options: LiveOptions): Promise<LifeEvidence> {
  const { witness, gate } = stage
  const { life, reference, patience } = options
  const steps: StepEvidence[] = []
  let bystander: string | undefined
  for (const [index, step] of life.entries()) {
    const expected = reference?.steps[index]
    const before = { moments: witness.moments.length, requests: gate.requests.length }
    stage.markStep()
    await step.act(stage, role)
    await stage.untilQuiet()
    bystander ??= versionOf(witness)
    const isReached = (): boolean => expected === undefined || equalTexts(witness.snapshot(), expected.snapshot)
    if (!isReached()) await stage.advance(patience, isReached)
    steps.push(evidenceOf(step, stage, before))
    if (!isReached()) break
  }
  return {
    steps,
    bystander: [bystander, versionOf(witness)],
    requests: gate.requests,
    secrets: witness.secrets,
    published: witness.published,
    problems: stage.problems,
    eventReasons: witness.eventReasons,
    faults: gate.faults,
  }
}

function evidenceOf(step: Step, { witness, gate }: Stage, before: { moments: number; requests: number }): StepEvidence {
  return {
    step,
    snapshot: witness.snapshot(),
    content: witness.content(),
    moments: witness.moments.slice(before.moments),
    created: new Map(witness.created),
    deleted: new Map(witness.deleted),
    changedValues: new Map(witness.changedValues),
    requests: gate.requests.slice(before.requests),
    orphans: witness.orphans(),
  }
}

function versionOf(witness: Witness): string | undefined {
  return witness.find('ConfigMap default/bystander')?.metadata.resourceVersion
}

export function equalTexts(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index])
}
