import { ENDINGS, type Ending } from './handovers.ts'
import type { HistoricWrite, LateWrite } from './write-history.ts'

/** What happened to a process, as far as it matters for the writes that it had under way. */
export interface Strike {
  readonly ending: Ending
  /** The first write, of other objects than Leases, of a process that was stopped and went on. */
  readonly firstAfterStop?: { readonly what: string; readonly at: number } | undefined
}

/** Writes that a process did although another one led. */
export interface Unwanted {
  /** They changed something, less those that were under way. */
  readonly stale: readonly HistoricWrite[]
  /** They arrived while another process was known to lead, less those that were under way. */
  readonly late: readonly LateWrite[]
  /** They were checked, and not sent yet, when their process was stopped: docs/leadership.md. */
  readonly underWay: readonly HistoricWrite[]
  /** How many may be. */
  readonly mostUnderWay: number
}

/** Milliseconds between the arrival of a request and the moment at which it is noted. */
const SAME_REQUEST = 5
/**
 * The part of the stops that may hit the tenth of a millisecond between the check and the sending. Stops follow a write at once, and so the write
 * beside it. Without any check it is a seventh, and the writes after that one come as well, which count as stale.
 */
const PART_OF_STOPS = 0.05

/** Tells the one write that a stopped process may have under way from all others. */
export function sortOut(
  { stale, late }: { readonly stale: readonly HistoricWrite[]; readonly late: readonly LateWrite[] },
  done: readonly Strike[],
): Unwanted {
  const firsts = done.flatMap(({ firstAfterStop }) => firstAfterStop ?? [])
  const wasUnderWay = ({ what, arrivedAt }: HistoricWrite): boolean =>
    firsts.some((first) => first.what === what && Math.abs(first.at - arrivedAt) < SAME_REQUEST)
  const stops = done.filter(({ ending }) => isStop(ending)).length
  return {
    stale: stale.filter((write) => !wasUnderWay(write)),
    late: late.filter((write) => !wasUnderWay(write)),
    underWay: stale.filter(wasUnderWay),
    mostUnderWay: stops === 0 ? 0 : Math.max(1, Math.floor(PART_OF_STOPS * stops)),
  }
}

/** Whether no process did what it must not. */
export function isClean({ stale, late, underWay, mostUnderWay }: Unwanted): boolean {
  return stale.length === 0 && late.length === 0 && underWay.length <= mostUnderWay
}

function isStop(ending: Ending): boolean {
  return ENDINGS.some((one) => one.name === ending && 'isStop' in one)
}
