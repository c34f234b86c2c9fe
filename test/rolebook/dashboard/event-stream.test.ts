import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { EventStream } from '../../../src/rolebook/dashboard/event-stream.ts'
import { EventSplitter } from '../../../src/rolebook/dashboard/page/server-events.ts'
import { RowTable } from '../../../src/rolebook/dashboard/row-table.ts'
import type { Increment, ResourceRow } from '../../../src/rolebook/ui/model.ts'

const EPOCH = 'abc'
const ROWS: readonly ResourceRow[] = ['a', 'b', 'c'].map((name) => {
  const head = { group: '', kind: 'Shop', namespace: '', name, uid: name }
  return { ...head, ready: 'True', reason: 'Ready', message: '', created: '', objects: 0, problems: [] }
})

/** What a page is sent until it has seen `last`. */
async function sent(
  lastEventId: string | undefined,
  table: RowTable,
  last: Increment['type'],
): Promise<readonly Increment[]> {
  const collector = {
    table,
    overview: undefined,
    follow: (onChange: () => void) => {
      onChange()
      return () => undefined
    },
  }
  const end = new AbortController()
  const splitter = new EventSplitter()
  const increments: Increment[] = []
  const stream = new EventStream(lastEventId, { collector, clock: new FakeClock(), epoch: EPOCH })
  await stream.run(async (text) => {
    increments.push(...splitter.push(text).map(({ data }) => JSON.parse(data) as Increment))
    if (increments.at(-1)?.type === last) end.abort()
  }, end.signal)
  return increments
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('EventStream', () => {
  const table = new RowTable()
  table.replace(ROWS)
  const rowsIn = (increments: readonly Increment[]): readonly string[] =>
    increments.flatMap((one) => (one.type === 'rows' ? one.rows.map(({ name }) => name) : []))

  const cases = [
    { name: 'sends everything to a page that is new', id: undefined, begins: 'reset', rows: ['a', 'b', 'c'] },
    { name: 'goes on where a page has been', id: `${EPOCH}-2`, begins: 'rows', rows: ['c'] },
    { name: 'has nothing for a page that knows all', id: `${EPOCH}-3`, begins: 'synced', rows: [] },
    { name: 'begins anew after a restart of the operator', id: 'other-2', begins: 'reset', rows: ['a', 'b', 'c'] },
    { name: 'begins anew for a version that never was', id: `${EPOCH}-99`, begins: 'reset', rows: ['a', 'b', 'c'] },
    { name: 'begins anew for an id that is none', id: 'abc-', begins: 'reset', rows: ['a', 'b', 'c'] },
  ]
  for (const { name, id, begins, rows } of cases) {
    it(name, async () => {
      const increments = await sent(id, table, 'synced')
      expect(increments[0]?.type).to.equal(begins)
      expect(rowsIn(increments)).to.deep.equal(rows)
    })
  }

  it('waits for a slow reader, and sends it the newest state of what changed meanwhile', async () => {
    const slow = new RowTable()
    slow.replace(ROWS)
    let resume = (): void => undefined
    const collector = {
      table: slow,
      overview: undefined,
      follow: (onChange: () => void) => {
        resume = onChange
        onChange()
        return () => undefined
      },
    }
    const end = new AbortController()
    const room = Promise.withResolvers<void>()
    const texts: string[] = []
    const running = new EventStream(`${EPOCH}-3`, { collector, clock: new FakeClock(), epoch: EPOCH }).run(
      async (text) => {
        texts.push(text)
        if (texts.length === 1) await room.promise
        if (texts.length === 2) end.abort()
      },
      end.signal,
    )
    for (const message of ['first', 'second', 'third']) {
      await nextTurn()
      slow.replace(ROWS.map((row) => ({ ...row, message })))
      resume()
    }
    await nextTurn()
    expect(texts, 'sent while there is no room').to.have.length(1)
    room.resolve()
    await running
    expect(texts).to.have.length(2)
    expect(texts[1]).to.include('third').and.not.include('second')
  })
})

describe('EventSplitter', () => {
  it('joins events that come in pieces, and leaves comments out', () => {
    const splitter = new EventSplitter()
    const pieces = ['id: 1\nda', 'ta: one\n\n: alive\n', '\ndata: two\n\nid: 3']
    const events = pieces.flatMap((piece) => splitter.push(piece))
    expect(events).to.deep.equal([
      { id: '1', data: 'one' },
      { id: '1', data: 'two' },
    ])
  })
})
