import type { JsonValue } from '../../core/base/json.ts'
import { parseDuration } from '../../core/kube/duration.ts'
import { Undecided } from './undecided.ts'

/** What becomes of a key of a watch. */
export interface KeyResult {
  /** What stands in the new entry; absent: nothing. */
  readonly value?: JsonValue
  /** In the report. */
  readonly message: string
  /** Whether it means the same without a word. Defaults to true. */
  readonly same?: boolean
}

type KeyRule = (value: JsonValue) => KeyResult

/** Keys that are taken over, changed or dropped on their own; `role`, `playbook`, `finalizer` and `vars` are not here. */
export const WATCH_KEYS: Readonly<Record<string, KeyRule>> = {
  group: kept,
  version: kept,
  kind: kept,
  selector: (value) => ({ value, message: 'kept; it is part of the watch, so other resources are never read' }),
  manageStatus: (value) =>
    value === false
      ? {
          value,
          same: false,
          message: 'kept: the status is that of `status` tasks alone, and nothing says whether the resource is ready',
        }
      : { message: 'left out: it is the default' },
  watchDependentResources: (value) => (value === false ? kept(value) : { message: 'left out: it is the default' }),
  reconcilePeriod: period,
  maxRunnerArtifacts: dropped('nothing is kept on disk'),
  watchClusterScopedResources: dropped('what the role makes and reads says what is watched'),
  watchAnnotationsChanges: dropped('annotations count when the role reads them'),
  blacklist: dropped('only kinds that the role makes or reads are watched'),
  snakeCaseParameters: dropped('fields keep the names that they have in the resource'),
  markUnsafe: dropped('text in a resource is always data'),
}

function kept(value: JsonValue): KeyResult {
  return { value, message: 'kept' }
}

function dropped(reason: string): KeyRule {
  return () => ({ message: `left out: ${reason}` })
}

/** @throws Undecided */
function period(value: JsonValue): KeyResult {
  const milliseconds = typeof value === 'string' ? parseDuration(value) : value === 0 ? 0 : undefined
  if (milliseconds === undefined) throw new Undecided('RB1703', `\`${String(value)}\` is not a duration such as 10m`)
  if (milliseconds === 0)
    return { same: false, message: 'left out: 0 meant the default there, and here it would mean never' }
  if (milliseconds < 10_000) {
    const hint = 'changes of what a role reads trigger it at once, so a long period is enough'
    throw new Undecided('RB1703', 'a period must be at least 10s', { hint })
  }
  return { value, message: 'kept' }
}
