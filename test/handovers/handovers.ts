import { systemClock } from '../../src/core/base/clock.ts'
import type { HandoverBench } from './handover-bench.ts'
import type { Replica } from './replica.ts'
import type { Strike } from './under-way.ts'
import { isWork } from './work-path.ts'

/** How a leader comes to its end. */
export type Ending = (typeof ENDINGS)[number]['name']

/** One handover, in milliseconds from what happened to the leader, or from when it let the lease go. */
export interface Handover extends Strike {
  /** Until another process held the lease. */
  readonly toLease: number
  /** Until the server did something for that process. */
  readonly toWrite: number
}

const isLease = (path: string): boolean => !isWork(path)

export interface EndingKind {
  readonly name: string
  /** Ends the leadership; resolves when that has happened. */
  strike(leader: Replica, nth: number): Promise<void>
  /** Lets the process take part again, after another one works. */
  goOn(replica: Replica): Promise<void>
  /** Whether the process finds out only then that it has lost the lease. */
  readonly isSurprised?: boolean
  /** Whether the process stands still for a while, and goes on where it stopped. */
  readonly isStop?: boolean
}

const LOST = 'leads no longer'
const restart = (replica: Replica): Promise<void> => replica.start()

const killed = (name: string, isWanted: (path: string) => boolean) => ({
  name,
  async strike(leader: Replica, nth: number) {
    await leader.ambush(nth, isWanted, () => leader.signal('SIGKILL'))
    await leader.end('SIGKILL')
  },
  goOn: restart,
})

const stopped = (name: string, isWanted: (path: string) => boolean) => ({
  name,
  strike: (leader: Replica, nth: number) => leader.ambush(nth, isWanted, () => leader.signal('SIGSTOP')),
  async goOn(replica: Replica) {
    replica.signal('SIGCONT')
  },
  isSurprised: true,
  isStop: true,
})

export const ENDINGS = [
  killed('killed at a write', isWork),
  stopped('stopped at a write, and resumed after another one works', isWork),
  {
    name: 'cut off, and connected after another one works',
    async strike(leader: Replica) {
      leader.cutOff()
    },
    async goOn(replica: Replica) {
      replica.connect()
      await replica.untilItAsks()
    },
  },
  stopped('stopped at a renewal, and resumed after another one works', isLease),
  {
    name: 'asked to end',
    async strike(leader: Replica) {
      leader.signal('SIGTERM')
    },
    async goOn(replica: Replica) {
      const code = await replica.ended()
      if (code !== 0) throw new Error(`${replica.name} ended with ${code}:\n${replica.log}`)
      await replica.start()
    },
  },
  killed('killed at a renewal', isLease),
] as const satisfies readonly EndingKind[]

/** Ends the leader in the n-th way and waits for the next one to work; the former one waits again, then. */
export async function handOver(bench: HandoverBench, nth: number): Promise<Handover> {
  const { history } = bench
  const ending: EndingKind & { name: Ending } = ENDINGS[nth % ENDINGS.length] ?? ENDINGS[0]
  const leader = bench.leader
  if (!leader) throw new Error('there is no leader')
  const former = leader.name
  await ending.strike(leader, 1 + (nth % 5))
  const endedAt = performance.now()
  const { length } = history.writes
  await bench.untilHolder((holder) => holder !== former)
  const struckAt = Math.max(endedAt, history.releasedAt)
  const toLease = (history.transitions.at(-1)?.at ?? 0) - struckAt
  await bench.untilWrite(length)
  const work = history.writes.slice(length).find(({ by }) => by === history.holder)
  const lost = leader.says(LOST)
  await ending.goOn(leader)
  if (ending.isSurprised) await leader.untilItSays(LOST, lost)
  // So long, at least, that whatever a process that goes on wants to send is there.
  await systemClock.sleep(SEND_MS)
  const firstAfterStop = ending.isStop ? leader.firstAfterStop : undefined
  return { ending: ending.name, toLease, toWrite: (work?.answeredAt ?? 0) - struckAt, firstAfterStop }
}

export const SEND_MS = 200
