import { expect } from 'chai'
import {
  type FieldState,
  type LastApply,
  type MarkState,
  markStateOf,
  WRITE_DECISIONS,
  type WriteDecision,
} from '../../../../src/engine/reconcile/apply/write-decision.ts'

describe('the mark of an applied object', () => {
  const cases: readonly { name: string; live?: string; last?: LastApply; expected: MarkState }[] = [
    { name: 'is current when it is the wanted one', live: 'new', expected: 'current' },
    { name: 'is missing when there is none', expected: 'missing' },
    { name: 'is outdated after a restart with another role', live: 'old', expected: 'outdated' },
    { name: 'is outdated after an edit', live: 'old', last: { applied: 'old', answered: 'old' }, expected: 'outdated' },
    { name: 'is rewritten by admission', live: 'x', last: { applied: 'new', answered: 'x' }, expected: 'rewritten' },
    { name: 'is overtaken', live: 'old', last: { applied: 'new', answered: 'new' }, expected: 'overtaken' },
  ]
  for (const { name, live, last, expected } of cases) {
    it(name, () => expect(markStateOf('new', live, last)).to.equal(expected))
  }
})

describe('write or not', () => {
  const cases: readonly [name: string, MarkState, FieldState, WriteDecision][] = [
    ['leaves an object at rest', 'current', 'ours', 'leave'],
    ['leaves what an admission webhook rewrites in each write', 'current', 'rewritten', 'leave'],
    ['corrects what a person has changed', 'current', 'lost', 'correct'],
    ['corrects an object whose annotation another client has removed', 'missing', 'lost', 'correct'],
    ['leaves an object whose annotation a webhook removes', 'missing', 'rewritten', 'leave'],
    ['changes an object when the role wants something else', 'outdated', 'ours', 'change'],
    ['calls it a change, too, when others have changed the object meanwhile', 'outdated', 'lost', 'change'],
    ['leaves an object whose annotation a webhook rewrites', 'rewritten', 'ours', 'leave'],
    ['corrects drift beside such a webhook', 'rewritten', 'lost', 'correct'],
    ['changes what a write with a lost answer has set', 'overtaken', 'ours', 'change'],
  ]
  for (const [name, mark, fields, expected] of cases) {
    it(name, () => expect(WRITE_DECISIONS[mark][fields]).to.equal(expected))
  }
})
