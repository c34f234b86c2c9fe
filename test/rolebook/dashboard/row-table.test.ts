import { expect } from 'chai'
import { RowTable } from '../../../src/rolebook/dashboard/row-table.ts'
import { applyIncrement, EMPTY_MODEL, keyOf, type Model, type ResourceRow } from '../../../src/rolebook/ui/model.ts'

function row(name: string, message = ''): ResourceRow {
  const head = { group: 'example.com', kind: 'Shop', namespace: 'default', name, uid: name }
  return { ...head, ready: 'False', reason: 'Waiting', message, created: '', objects: 0, problems: [] }
}

const names = (rows: Iterable<ResourceRow>): readonly string[] => [...rows].map(({ name }) => name)

/** What a page has after it has read the table in parts of so many rows. */
function read(
  table: RowTable,
  most: number,
  { model = EMPTY_MODEL, version = 0 } = {},
): { model: Model; version: number } {
  let [known, at] = [model, version]
  while (at < table.version) {
    const { rows, gone, version: next } = table.since(at, most)
    known = applyIncrement(known, { type: 'rows', rows, gone })
    at = next
  }
  return { model: known, version: at }
}

describe('RowTable', () => {
  it('gives each reader what is newer than what it has, in parts', () => {
    const table = new RowTable()
    table.replace(['a', 'b', 'c', 'd', 'e'].map((name) => row(name)))
    const first = read(table, 2)
    expect(names(first.model.rows.values())).to.deep.equal(['a', 'b', 'c', 'd', 'e'])
    table.replace([row('a'), row('b', 'other'), row('d'), row('e'), row('f')])
    const { rows, gone } = table.since(first.version, 10)
    expect(names(rows)).to.deep.equal(['b', 'f'])
    expect(gone).to.deep.equal([keyOf(row('c'))])
    expect(names(read(table, 1, first).model.rows.values()).toSorted()).to.deep.equal(['a', 'b', 'd', 'e', 'f'])
  })

  it('has nothing new when rows say the same as before', () => {
    const table = new RowTable()
    expect(table.replace([row('a')])).to.equal(true)
    expect(table.replace([row('a')])).to.equal(false)
    expect(table.version).to.equal(1)
  })

  it('shows a row that was made again, and not that it was gone', () => {
    const table = new RowTable()
    table.replace([row('a')])
    table.replace([])
    table.replace([row('a', 'again')])
    const { rows, gone } = table.since(1, 10)
    expect(names(rows)).to.deep.equal(['a'])
    expect(gone).to.deep.equal([])
  })

  it('remembers a bounded number of rows that are gone: who missed more begins anew', () => {
    const table = new RowTable()
    table.replace(Array.from({ length: 1_500 }, (_, index) => row(String(index))))
    const before = table.version
    table.replace([])
    expect(table.knows(before)).to.equal(false)
    expect(table.knows(table.version)).to.equal(true)
    expect(table.knows(table.version + 1)).to.equal(false)
    expect(table.since(table.version - 10, 10).gone).to.have.length(10)
  })
})
