import { expect } from 'chai'
import { WriteHistory } from './write-history.ts'

const LEASE = '/apis/coordination.k8s.io/v1/namespaces/x/leases/rolebook'
const MAP = '/api/v1/namespaces/x/configmaps/m'
const REVIEW = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'

describe('The history of writes', () => {
  let history: WriteHistory
  beforeEach(() => {
    history = new WriteHistory()
  })

  const note = (by: string, path: string, version: number, { holder = '', status = 200, arrivedAt = 0 } = {}): void => {
    const body = JSON.stringify({ metadata: { resourceVersion: String(version) }, spec: { holderIdentity: holder } })
    history.note(by, { method: 'PATCH', path, status, body, arrivedAt })
  }
  const stale = (): readonly string[] => history.stale().map(({ by, version }) => `${by} ${version}`)

  it('knows who held the lease when the server did a write, whenever the answer came', () => {
    note('a', LEASE, 1, { holder: 'a_1' })
    note('a', LEASE, 3, { holder: 'a_1' })
    note('b', LEASE, 7, { holder: 'b_1' })
    note('a', MAP, 6)
    note('a', MAP, 8)
    note('b', MAP, 9)
    expect([history.holder, history.transitions.length, stale()]).to.deep.equal(['b', 2, ['a 8']])
  })

  it('knows a lease that was let go as still its holder’s', () => {
    note('a', LEASE, 1, { holder: 'a_1' })
    note('a', LEASE, 2, { holder: '' })
    note('a', MAP, 3)
    expect([history.holder, stale(), history.releasedAt > 0]).to.deep.equal(['a', [], true])
  })

  it('does not count a write that changed nothing: another client made its version', () => {
    note('b', LEASE, 1, { holder: 'b_1' })
    history.noteForeign('4')
    note('a', MAP, 4)
    note('b', MAP, 5)
    note('a', MAP, 5)
    expect(stale()).to.deep.equal([])
  })

  it('does not count what was refused, nor questions', () => {
    note('b', LEASE, 1, { holder: 'b_1' })
    note('a', MAP, 2, { status: 409 })
    note('a', REVIEW, 3)
    expect([stale(), history.refused]).to.deep.equal([[], 1])
  })

  it('reports a write that was sent late, also when it changed nothing', () => {
    note('b', LEASE, 1, { holder: 'b_1' })
    history.noteForeign('1')
    note('b', MAP, 1, { arrivedAt: Number.POSITIVE_INFINITY })
    note('a', MAP, 1, { arrivedAt: Number.POSITIVE_INFINITY })
    expect(history.late().map(({ by, holder }) => [by, holder?.to])).to.deep.equal([['a', 'b']])
  })

  it('reports a write that was sent before any process held the lease', () => {
    note('a', MAP, 1)
    note('a', LEASE, 2, { holder: 'a_1' })
    expect(history.late().map(({ by, holder }) => [by, holder])).to.deep.equal([['a', undefined]])
  })
})
