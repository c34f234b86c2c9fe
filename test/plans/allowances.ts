import { type Lives, struckIn } from './oracles.ts'

/**
 * Where the engine may come to another end than without faults, because what it would have to know is lost with the process.
 * Lives that end so are counted, and no further compared.
 */
export interface Allowance {
  readonly name: string
  readonly reason: string
  /** Oracles that need not hold then. */
  readonly forgives: readonly string[]
  holds(lives: Lives): boolean
}

export const ALLOWANCES: readonly Allowance[] = [
  {
    name: 'children kept in doubt',
    reason:
      'Only the beginning of a deletion shows whether it keeps the children. When nothing shows that any more, the children that no garbage collector reaches stay, and an Event says so (docs/role-language.md, `--cascade=orphan`).',
    forgives: ['same end', 'nothing removed needlessly'],
    holds: ({ seen }) => seen.steps.at(-1)?.step.deletes === true && seen.eventReasons.has('ChildrenKept'),
  },
  {
    name: 'a Job deleted before that was noted',
    reason:
      'A Job without a time to live is noted as run when it vanishes, which costs no write before. Where no process watches Jobs at that moment, because one has ended and the next has not started yet, the Job is made again.',
    forgives: ['same end', 'nothing made twice'],
    holds: ({ seen }) => {
      const last = seen.steps.at(-1)
      if (last?.step.name !== 'child deleted' || ![...last.deleted.keys()].some((name) => name.startsWith('Job ')))
        return false
      const [{ index: first } = { index: 0 }] = last.requests
      const before = seen.steps.flatMap(({ requests }) => requests).filter(({ index }) => index < first)
      const watchesJobs = (since: number): boolean =>
        before.some(({ index, verb, url }) => index > since && verb === 'watch' && url.includes('/jobs?'))
      return seen.faults.some(
        (fault) =>
          fault.kind.endsTerm === true &&
          (struckIn(fault, last.requests) || (fault.firedAt !== undefined && !watchesJobs(fault.firedAt))),
      )
    },
  },
]
