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
      'Whether a deletion keeps the children is told only while it begins. Where nothing shows it any more, those that no garbage collector reaches stay, and an Event says so (docs/role-language.md, `--cascade=orphan`).',
    forgives: ['same end', 'nothing removed needlessly'],
    holds: ({ seen }) => seen.steps.at(-1)?.step.deletes === true && seen.eventReasons.has('ChildrenKept'),
  },
  {
    name: 'a Job deleted before that was noted',
    reason:
      'A Job without a time to live is noted as run when it vanishes, which costs no write before. A process that ends at that very moment takes the knowledge with it, and the Job is made again.',
    forgives: ['same end', 'nothing made twice'],
    holds: ({ seen }) => {
      const last = seen.steps.at(-1)
      if (last?.step.name !== 'child deleted' || ![...last.deleted.keys()].some((name) => name.startsWith('Job ')))
        return false
      // A process that ended with the last request before the step was not there to see the deletion.
      const [{ index: first } = { index: 0 }] = last.requests
      return seen.faults.some(
        (fault) => fault.kind.endsTerm === true && (struckIn(fault, last.requests) || fault.firedAt === first - 1),
      )
    },
  },
]
