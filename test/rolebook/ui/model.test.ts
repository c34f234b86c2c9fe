import { expect } from 'chai'
import {
  applyIncrement,
  EMPTY_MODEL,
  type Increment,
  keyOf,
  type Model,
  type Overview,
  type ResourceRow,
} from '../../../src/rolebook/ui/model.ts'

const ROW: ResourceRow = {
  ...{ group: 'example.com', kind: 'Shop', namespace: 'default', name: 'web', uid: 'u' },
  ...{ ready: 'True', reason: 'Ready', message: '', created: '', objects: 0, problems: [] },
}
const OVERVIEW: Overview = {
  ...{ version: '1', instance: 'one', leads: true },
  ...{ shards: [], kinds: [], hung: [], blind: [], failing: [] },
}
const ROWS = new Map([[keyOf(ROW), ROW]])
const FULL: Model = { rows: ROWS, overview: OVERVIEW, isSynced: true }

describe('what a page holds', () => {
  const cases: readonly { name: string; before: Model; increment: Increment; after: Model }[] = [
    {
      name: 'forgets its rows when all of them follow, and shows the operator as before',
      before: FULL,
      increment: { type: 'reset' },
      after: { rows: new Map(), overview: OVERVIEW, isSynced: false },
    },
    {
      name: 'is whole when all rows have come',
      before: { ...FULL, isSynced: false },
      increment: { type: 'synced' },
      after: FULL,
    },
    {
      name: 'takes the operator as it is now',
      before: FULL,
      increment: { type: 'overview', overview: { ...OVERVIEW, leads: false } },
      after: { ...FULL, overview: { ...OVERVIEW, leads: false } },
    },
    {
      name: 'gets a row',
      before: EMPTY_MODEL,
      increment: { type: 'rows', rows: [ROW], gone: [] },
      after: { ...EMPTY_MODEL, rows: ROWS },
    },
    {
      name: 'loses a row',
      before: FULL,
      increment: { type: 'rows', rows: [], gone: [keyOf(ROW)] },
      after: { ...FULL, rows: new Map() },
    },
  ]
  for (const { name, before, increment, after } of cases) {
    it(name, () => expect(applyIncrement(before, increment)).to.deep.equal(after))
  }
})
