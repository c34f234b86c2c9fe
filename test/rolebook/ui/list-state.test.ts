import { expect } from 'chai'
import { chosenRows, countsOf, sortedRows } from '../../../src/rolebook/ui/list-state.ts'
import type { ResourceRow } from '../../../src/rolebook/ui/model.ts'

function row(name: string, further: Partial<ResourceRow> = {}): ResourceRow {
  const head = { group: 'example.com', kind: 'Shop', namespace: 'default', name, uid: name }
  return { ...head, ready: 'True', reason: 'Ready', message: '', created: '', objects: 1, problems: [], ...further }
}

const ROWS = [
  row('b-ready'),
  row('a-ready'),
  row('c-ready'),
  row('waits', { ready: 'False', reason: 'Waiting', message: 'for Secret default/token' }),
  row('goes', { deleting: '2026-01-01T00:00:00Z', ready: 'False', reason: 'Deleting' }),
  row('stuck', { problems: [{ kind: 'deletion', message: 'the finalizer example.com/Hold keeps it' }] }),
]

describe('the list of resources', () => {
  const cases = [
    {
      name: 'has those first that need a person',
      choice: { show: 'all', search: '' },
      names: 'stuck waits goes a-ready b-ready c-ready',
    },
    { name: 'shows those that need a person', choice: { show: 'attention', search: '' }, names: 'stuck' },
    { name: 'shows those that are not ready', choice: { show: 'notReady', search: '' }, names: 'waits goes' },
    { name: 'shows those that are being deleted', choice: { show: 'deleting', search: '' }, names: 'goes' },
    { name: 'finds words in any order', choice: { show: 'all', search: 'token  WAIT' }, names: 'waits' },
    { name: 'finds causes', choice: { show: 'all', search: 'example.com/hold' }, names: 'stuck' },
    { name: 'finds nothing', choice: { show: 'all', search: 'absent' }, names: '' },
  ] as const
  for (const { name, choice, names } of cases) {
    it(name, () =>
      expect(
        chosenRows(sortedRows(ROWS), choice)
          .map((one) => one.name)
          .join(' '),
      ).to.equal(names),
    )
  }

  it('counts what each choice shows', () => {
    expect(countsOf(ROWS)).to.deep.equal({ all: 6, attention: 1, notReady: 2, deleting: 1 })
  })
})
