import { percentile } from '../../bench/statistics.ts'
import type { LeaseTimings } from '../../src/engine/runtime/leader-election.ts'
import type { EditWait, EditWaits } from './edit-waits.ts'
import { ENDINGS } from './handovers.ts'
import type { ShardHistory } from './shard-history.ts'
import type { ShardIncident } from './shard-incidents.ts'
import type { HistoricWrite, LateWrite } from './write-history.ts'

/** What a run of the proof has shown. Times are milliseconds. */
export interface ShardVerdict {
  readonly isProven: boolean
  readonly timings: LeaseTimings
  readonly writes: number
  /** How often a shard went to another process. */
  readonly moves: number
  /** Writes that changed something while another process held the shard, less those that were under way. */
  readonly stale: readonly HistoricWrite[]
  /** The same, of a process that was stopped between the last check and the sending: docs/leadership.md. */
  readonly underWay: readonly HistoricWrite[]
  /** Writes that arrived while another process was known to hold the shard. */
  readonly late: readonly LateWrite[]
  readonly edits: number
  /** How long an edit waits while its shard stays where it is, for 99 of 100. */
  readonly ordinary: number
  /** How long the edit waited that waited longest. */
  readonly longest: number
  /** How long one may wait. */
  readonly bound: number
  readonly leftOut: readonly EditWait[]
}

/** Milliseconds between the arrival of a request and the moment at which it is noted. */
const SAME_REQUEST = 5
/**
 * The part of the stops that may hit the tenth of a millisecond between the check and the sending. Stops follow a write at once, and so the write
 * beside it. Without any check it is a seventh, and the writes after that one come as well, which count as stale.
 */
const MOST_UNDER_WAY = 0.05

function stopsOf(done: readonly ShardIncident[]): number {
  return done.filter(({ ending }) => ENDINGS.some((one) => one.name === ending && 'isStop' in one)).length
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
  const stops = done.flatMap(({ firstAfterStop }) => firstAfterStop ?? [])
  const wasUnderWay = ({ what, arrivedAt }: HistoricWrite): boolean =>
    stops.some((first) => first.what === what && Math.abs(first.at - arrivedAt) < SAME_REQUEST)
  const { underWay = [], stale = [] } = Object.groupBy(shards.stale(), (write) =>
    wasUnderWay(write) ? 'underWay' : 'stale',
  )
  const late = shards.late().filter((write) => !wasUnderWay(write))
  const isRare = underWay.length <= MOST_UNDER_WAY * stopsOf(done)
  return {
    isProven: stale.length === 0 && late.length === 0 && isRare && leftOut.length === 0 && all.length > 0,
    ...{ timings, stale, underWay, late, ordinary, bound, leftOut },
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
      `(of at most ${Math.floor(MOST_UNDER_WAY * stopsOf(done))}: docs/leadership.md)`,
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
