import { expect } from 'chai'
import { EventHistory } from '../../../../src/sandbox/apiserver/store/event-history.ts'
import type { StoreEvent } from '../../../../src/sandbox/apiserver/store/stored-object.ts'

describe('EventHistory', () => {
  it('finds the first event after a revision', () => {
    const history = filled(10, [3, 5, 9])
    expect([0, 3, 4, 5, 9].map((revision) => history.at(history.after(revision))?.revision)).to.deep.equal([
      3,
      5,
      5,
      9,
      undefined,
    ])
  })

  it('forgets the oldest beyond its capacity, and says up to where', () => {
    const history = filled(3, [2, 4, 6, 8, 10])
    expect(history.floor).to.equal(4)
    expect(history.at(history.start)?.revision).to.equal(6)
    expect(history.at(history.start - 1)).to.equal(undefined)
  })

  it('keeps positions over many turns of forgetting', () => {
    const revisions = Array.from({ length: 1000 }, (_, index) => index + 2)
    const history = filled(7, revisions)
    expect(history.end).to.equal(1000)
    expect(history.start).to.equal(993)
    expect(history.at(history.end - 1)?.revision).to.equal(1001)
    expect(history.at(history.start)?.revision).to.equal(995)
  })

  it('is compacted up to a revision', () => {
    const history = filled(10, [3, 5, 9])
    history.compact(5)
    expect(history.floor).to.equal(5)
    expect(history.at(history.start)?.revision).to.equal(9)
    history.compact(20)
    expect(history.floor).to.equal(20)
    expect(history.start).to.equal(history.end)
  })
})

function filled(capacity: number, revisions: readonly number[]): EventHistory {
  const history = new EventHistory(capacity, 1)
  for (const revision of revisions) history.append({ revision } as StoreEvent)
  return history
}
