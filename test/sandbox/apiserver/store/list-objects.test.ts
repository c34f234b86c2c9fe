import { expect } from 'chai'
import { ApiError, isGone } from '../../../../src/core/kube/api-error.ts'
import { decodeContinueToken, encodeContinueToken } from '../../../../src/sandbox/apiserver/store/continue-token.ts'
import { type ListQuery, listObjects } from '../../../../src/sandbox/apiserver/store/list-objects.ts'
import { ObjectStore } from '../../../../src/sandbox/apiserver/store/object-store.ts'
import { ResourceTable } from '../../../../src/sandbox/apiserver/store/resource-table.ts'
import { configMap } from '../sandbox.ts'

const TABLE = '/configmaps'
const ALL: ListQuery = {
  table: TABLE,
  namespace: undefined,
  limit: 0,
  continueToken: '',
  resourceVersion: '',
  exact: false,
}

describe('listObjects', () => {
  it('shows all pages as of one moment, whatever happens meanwhile', () => {
    const store = storeOf(['a', 'b', 'c', 'd', 'e'])
    const first = listObjects(store, { ...ALL, limit: 2 })
    expect(namesOf(first)).to.deep.equal(['a', 'b'])
    expect(first.remaining).to.equal(3)
    remove(store, 'c')
    store.put(TABLE, configMap('bb'))
    store.put(TABLE, configMap('d', { data: { changed: 'yes' } }))
    remove(store, 'a')
    const second = listObjects(store, { ...ALL, limit: 2, continueToken: first.continueToken ?? '' })
    expect(namesOf(second)).to.deep.equal(['c', 'd'])
    expect(second.items.map(({ object }) => object.data)).to.deep.equal([undefined, undefined])
    const third = listObjects(store, { ...ALL, limit: 2, continueToken: second.continueToken ?? '' })
    expect(namesOf(third)).to.deep.equal(['e'])
    expect(third.continueToken).to.equal(undefined)
    expect([first, second, third].map(({ revision }) => revision)).to.deep.equal([6, 6, 6])
  })

  it('shows the pages of two lists that are read at the same time, each as of its moment', () => {
    const store = storeOf(['a', 'b', 'c'])
    const older = listObjects(store, { ...ALL, limit: 1 })
    remove(store, 'b')
    const newer = listObjects(store, { ...ALL, limit: 1 })
    const next = ({ continueToken = '' }: typeof older) =>
      namesOf(listObjects(store, { ...ALL, limit: 1, continueToken }))
    expect([next(older), next(newer)]).to.deep.equal([['b'], ['c']])
  })

  it('collects the objects once for all pages, whatever is written meanwhile', () => {
    const store = storeOf(['a', 'b', 'c', 'd'])
    const { list } = ResourceTable.prototype
    let collected = 0
    store.table(TABLE).list = function (this: ResourceTable, namespace) {
      collected++
      return list.call(this, namespace)
    }
    let page = listObjects(store, { ...ALL, limit: 1 })
    for (let pages = 1; page.continueToken !== undefined; pages++) {
      store.put(TABLE, configMap(`written-${pages}`))
      page = listObjects(store, { ...ALL, limit: 1, continueToken: page.continueToken })
    }
    expect([collected, namesOf(page)]).to.deep.equal([1, ['d']])
  })

  it('shows a version exactly', () => {
    const store = storeOf(['a', 'b', 'c'])
    remove(store, 'a')
    expect(namesOf(listObjects(store, { ...ALL, resourceVersion: '3', exact: true }))).to.deep.equal(['a', 'b'])
    expect(namesOf(listObjects(store, { ...ALL, resourceVersion: '3' }))).to.deep.equal(['b', 'c'])
    expect(namesOf(listObjects(store, { ...ALL, namespace: 'none', resourceVersion: '3', exact: true }))).to.deep.equal(
      [],
    )
  })

  it('shows an earlier version that nothing was changed since', () => {
    const store = storeOf(['a', 'b'])
    store.put('/secrets', configMap('other'))
    expect(namesOf(listObjects(store, { ...ALL, resourceVersion: '3', exact: true }))).to.deep.equal(['a', 'b'])
  })

  it('shows pages of objects that have no namespace', () => {
    const store = new ObjectStore()
    for (const name of ['a', 'b']) store.put('/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name } })
    const first = listObjects(store, { ...ALL, table: '/nodes', limit: 1 })
    const second = listObjects(store, { ...ALL, table: '/nodes', limit: 1, continueToken: first.continueToken ?? '' })
    expect([namesOf(first), namesOf(second)]).to.deep.equal([['a'], ['b']])
  })

  it('answers 410 when the version is forgotten, with a token that goes on without it', () => {
    const store = storeOf(['a', 'b', 'c'], 2)
    const first = listObjects(store, { ...ALL, limit: 1 })
    for (const data of ['1', '2', '3']) store.put(TABLE, configMap('a', { data: { data } }))
    const error = errorOf(() => listObjects(store, { ...ALL, limit: 1, continueToken: first.continueToken ?? '' }))
    expect(isGone(error)).to.equal(true)
    const { continue: token = '' } = (error.status?.metadata ?? {}) as { continue?: string }
    expect(namesOf(listObjects(store, { ...ALL, limit: 1, continueToken: token }))).to.deep.equal(['b'])
    expect(isGone(errorOf(() => listObjects(store, { ...ALL, resourceVersion: '2', exact: true })))).to.equal(true)
  })

  it('answers 504 when the version lies ahead', () => {
    const error = errorOf(() => listObjects(storeOf(['a']), { ...ALL, resourceVersion: '99' }))
    expect(error.httpStatus).to.equal(504)
    expect(error.retryAfterSeconds).to.equal(1)
  })

  it('says how many remain only when nothing is filtered', () => {
    const store = storeOf(['a', 'b', 'c'])
    const page = listObjects(store, { ...ALL, limit: 1, matches: ({ name }) => name !== 'b' })
    expect(page.remaining).to.equal(undefined)
    expect(namesOf(page)).to.deep.equal(['a'])
    expect(page.continueToken).not.to.equal(undefined)
  })
})

describe('Continue tokens', () => {
  it('come back as they went', () => {
    const token = { revision: 7, start: 'default/a\u0000' }
    expect(decodeContinueToken(encodeContinueToken(token))).to.deep.equal(token)
  })

  it('of other servers need not end as ours do', () => {
    expect(decodeContinueToken(encode('{"v":"meta.k8s.io/v1","rv":7,"start":"a"}'))).to.deep.equal({
      revision: 7,
      start: 'a',
    })
  })

  const bad = {
    'no base64': '***',
    'no JSON': 'abc',
    'no object': encode('[1]'),
    'another version': encode('{"v":"v2","rv":1,"start":"a"}'),
    'no revision': encode('{"v":"meta.k8s.io/v1","rv":0,"start":"a"}'),
  }
  for (const [name, token] of Object.entries(bad)) {
    it(`are refused: ${name}`, () => expect(errorOf(() => decodeContinueToken(token)).httpStatus).to.equal(400))
  }
})

function storeOf(names: readonly string[], historySize = 100): ObjectStore {
  const store = new ObjectStore(historySize)
  for (const name of names) store.put(TABLE, configMap(name))
  return store
}

function remove(store: ObjectStore, name: string): void {
  const stored = store.get(TABLE, 'default', name)
  if (stored) store.remove(stored)
}

function namesOf({ items }: { readonly items: readonly { readonly name: string }[] }): string[] {
  return items.map(({ name }) => name)
}

function errorOf(work: () => unknown): ApiError {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url')
}
