import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { SubscriptionTable } from '../../../../src/engine/operator/watching/change-router.ts'
import type { Subscription } from '../../../../src/engine/reconcile/reconciler-ports.ts'
import type { Request } from '../../../../src/engine/runtime/reconciler.ts'

const POD = { group: '', kind: 'Pod' }
const request = (name: string): Request => ({ group: 'example.com', kind: 'Widget', namespace: 'd', name })
const pod = (name: string, labels: Record<string, string> = {}, namespace = 'd'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, labels },
})
const one = (name: string): Subscription => ({ kind: 'object', type: POD, key: { namespace: 'd', name } })
const many = (matchLabels: Record<string, string>, namespaces?: readonly string[]): Subscription => ({
  kind: 'list',
  type: POD,
  namespaces,
  selector: { matchLabels },
})

describe('SubscriptionTable', () => {
  const woken = (table: SubscriptionTable, ...forms: KubeObject[]): string[] =>
    table
      .requestsFor(POD, forms)
      .map(({ name }) => name)
      .sort()

  it('wakes who looked at the object', () => {
    const table = new SubscriptionTable()
    table.add(request('a'), one('x'))
    table.add(request('a'), one('x'))
    table.add(request('b'), one('y'))
    expect(woken(table, pod('x'))).to.deep.equal(['a'])
    expect(woken(table, pod('x', {}, 'other'))).to.deep.equal([])
    expect(table.requestsFor({ group: '', kind: 'Secret' }, [pod('x')])).to.deep.equal([])
  })

  it('wakes who lists it, before or after the change', () => {
    const table = new SubscriptionTable()
    table.add(request('a'), many({ app: 'a', tier: 'web' }))
    table.add(request('b'), many({ app: 'b', tier: 'web' }))
    table.add(request('c'), many({ tier: 'web' }))
    table.add(request('d'), many({}))
    table.add(request('e'), many({ tier: 'web' }, ['other']))
    expect(woken(table, pod('x', { app: 'a', tier: 'web' }))).to.deep.equal(['a', 'c', 'd'])
    expect(woken(table, pod('x', { app: 'a' }))).to.deep.equal(['d'])
    expect(woken(table, pod('x', { app: 'a' }), pod('x', { app: 'b', tier: 'web' }))).to.deep.equal(['b', 'c', 'd'])
    expect(woken(table, pod('x', { tier: 'web' }, 'other'))).to.deep.equal(['c', 'd', 'e'])
  })

  it('has what was asked for since it was kept, else what was kept', () => {
    const table = new SubscriptionTable()
    const [asked, kept, again] = [one('x'), one('x'), one('x')]
    const keep = (): Subscription | undefined => {
      table.keep(request('a'), [kept])
      return [...table.all()][0]
    }
    table.add(request('a'), asked)
    expect(keep()).to.equal(asked)
    expect(keep()).to.equal(kept)
    table.add(request('a'), again)
    expect(keep()).to.equal(again)
  })

  it('forgets what a run did not look at any more', () => {
    const table = new SubscriptionTable()
    table.add(request('a'), one('x'))
    table.add(request('a'), many({ app: 'a' }))
    table.keep(request('a'), [many({ app: 'a' })])
    expect(woken(table, pod('x'))).to.deep.equal([])
    expect(woken(table, pod('y', { app: 'a' }))).to.deep.equal(['a'])
    table.keep(request('a'), [])
    table.keep(request('unknown'), [])
    expect(woken(table, pod('y', { app: 'a' }))).to.deep.equal([])
  })

  it('finds one of many lists that share a label by the label that they do not share', () => {
    const table = new SubscriptionTable()
    for (let index = 0; index < 5_000; index++)
      table.add(request(`r${index}`), many({ app: 'memcached', cr: `c${index}` }))
    for (let index = 0; index < 1_000; index++) {
      expect(woken(table, pod('x', { app: 'memcached', cr: `c${index + 100}` }))).to.deep.equal([`r${index + 100}`])
    }
  })
})
