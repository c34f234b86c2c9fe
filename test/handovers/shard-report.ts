import { percentile } from '../../bench/statistics.ts'
import type { LeaseTimings } from '../../src/engine/runtime/leader-election.ts'
import type { EditWait, EditWaits } from './edit-waits.ts'
import { ENDINGS } from './handovers.ts'
import type { ShardHistory } from './shard-history.ts'
import type { ShardIncident } from './shard-incidents.ts'
import { isClean, sortOut, type Unwanted } from './under-way.ts'

/** What a run of the proof has shown. Times are milliseconds. */
export interface ShardVerdict extends Unwanted {
  readonly isProven: boolean
  readonly timings: LeaseTimings
  readonly writes: number
  /** How often a shard went to another process. */
  readonly moves: number
  readonly edits: number
  /** How long an edit waits while its shard stays where it is, for 99 of 100. */
  readonly ordinary: number
  /** How long the edit waited that waited longest. */
  readonly longest: number
  /** How long one may wait. */
  readonly bound: number
  readonly leftOut: readonly EditWait[]
}

interface Seen {
  readonly shards: ShardHistory
  readonly waits: EditWaits
}

/**
 * Judges all edits since a moment. An edit waits for the lease of its shard to run out, which others see a retry period later at the latest, and
 * then for the first run of the process that takes the shard. How long that takes depends on the machine, so it is measured by the edits whose
 * shard stayed where it was: twice as long, since there are requests for the Lease and the ledger before the run.
 */
export function judge(
  { shards, waits }: Seen,
  given: { timings: LeaseTimings; since: number; done: readonly ShardIncident[] },
): ShardVerdict {
  const { timings, since, done } = given
  const all = waits.all().filter(({ editedAt }) => editedAt >= since)
  const still = all.filter(({ resource, editedAt, doneAt }) => !shards.hasMoved(resource, editedAt, doneAt))
  const ordinary = percentile(still.map(lengthOf), 99)
  const bound = timings.leaseDuration + timings.retryPeriod + 2 * ordinary
  const leftOut = all.filter((wait) => lengthOf(wait) > bound)
  const unwanted = sortOut({ stale: shards.stale(), late: shards.late() }, done)
  return {
    isProven: isClean(unwanted) && leftOut.length === 0 && all.length > 0,
    ...unwanted,
    ...{ timings, ordinary, bound, leftOut },
    writes: shards.all.reduce((sum, { writes }) => sum + writes.length, 0),
    moves: shards.all.reduce((sum, { transitions }) => sum + transitions.length, 0),
    edits: all.length,
    longest: Math.max(0, ...all.map(lengthOf)),
  }
}

export function printShardReport(verdict: ShardVerdict, done: readonly ShardIncident[]): string {
  const { timings, stale, underWay, late, leftOut } = verdict
  const { leaseDuration, renewDeadline, retryPeriod } = timings
  return [
    `\nlease ${leaseDuration} ms, renew deadline ${renewDeadline} ms, retry period ${retryPeriod} ms`,
    ...ENDINGS.map(({ name }) => lineOf(name, done)),
    ...stale.map(
      (write) => `  STALE: ${write.by} ${write.what} (version ${write.version}) ${whenOf(write.arrivedAt, done)}`,
    ),
    ...underWay.map(
      (write) => `  UNDER WAY: ${write.by} ${write.what} (version ${write.version}) ${whenOf(write.arrivedAt, done)}`,
    ),
    ...late.map(({ by, what, holder, arrivedAt }) => {
      return `  LATE: ${by} ${what}, while ${holder?.to ?? 'no process'} held it, ${whenOf(arrivedAt, done)}`
    }),
    ...leftOut.map((wait) => {
      return `  LEFT OUT: ${wait.resource} for ${Math.round(lengthOf(wait))} ms ${whenOf(wait.editedAt, done)}`
    }),
    `${done.length} incidents, ${verdict.moves} moves of shards, ${verdict.writes} writes; ${stale.length} stale writes, ` +
      `${late.length} sent after another process held the shard; ${underWay.length} under way when the process was stopped ` +
      `(of at most ${verdict.mostUnderWay}: docs/leadership.md)`,
    `${verdict.edits} edits; the longest wait: ${Math.round(verdict.longest)} ms, of at most ${Math.round(verdict.bound)} ms ` +
      `(lease, retry period, and twice the ${Math.round(verdict.ordinary)} ms that 99 of 100 edits wait at most in a shard that stays)`,
    '',
  ].join('\n')
}

function lineOf(name: string, done: readonly ShardIncident[]): string {
  const those = done.filter(({ ending }) => ending === name)
  const shards = those.reduce((sum, incident) => sum + incident.shards, 0)
  const longest = Math.max(0, ...those.map(({ toLeases }) => toLeases))
  return `  ${those.length} x ${name}: ${shards} shards, with others after at most ${Math.round(longest)} ms`
}

/** A moment, by the incident before it. */
function whenOf(at: number, done: readonly ShardIncident[]): string {
  const last = done.findLastIndex(({ struckAt }) => struckAt <= at)
  const incident = done[last]
  if (!incident) return 'before the first incident'
  const after = Math.round(at - incident.struckAt)
  return `since ${after} ms after incident ${last + 1} (${incident.ending})`
}

function lengthOf({ editedAt, doneAt }: EditWait): number {
  return doneAt - editedAt
}
