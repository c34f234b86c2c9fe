import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../../src/core/base/logger.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { KubeClient, WatchEvent } from '../../../../src/core/kube/client.ts'
import { LEASE } from '../../../../src/engine/runtime/lease-record.ts'
import { Membership } from '../../../../src/engine/runtime/sharding/membership.ts'
import { LeaseStore, StoreLine } from '../../../support/lease-store.ts'

const TIMINGS = { leaseDuration: 3_000, retryPeriod: 400 }
const LABELS = { 'rolebook.dev/replica-of': 'rolebook', 'rolebook.dev/shards': '4' }

const forbidden = (message: string): ApiError => new ApiError(403, 'Forbidden', message)

describe('The replicas of an installation', () => {
  let clock: FakeClock
  let others: KubeClient
  let own: KubeClient
  let log: string[]
  let stop: AbortController
  beforeEach(() => {
    const store = new LeaseStore()
    clock = new FakeClock()
    others = store.clientOf(new StoreLine())
    own = store.clientOf(new StoreLine())
    log = []
    stop = new AbortController()
  })
  afterEach(() => stop.abort(new Error('the test is over')))

  function start(change: Partial<KubeClient> = {}, isReady = () => true): Membership {
    const logger = { ...nopLogger, warn: (message: string): void => void log.push(message) }
    const lease = { namespace: 'ops', name: 'rolebook' }
    const common = { client: { ...own, ...change }, clock, logger, fieldManager: 'rolebook', ...TIMINGS }
    const membership = new Membership({ ...common, lease, identity: 'own', count: 4, isReady })
    void membership.start(stop.signal)
    return membership
  }

  const joins = (name: string, spec: Readonly<Record<string, string>> = {}): Promise<unknown> =>
    others.create(
      {
        ...{ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' },
        ...{ metadata: { namespace: 'ops', name, labels: LABELS }, spec: { holderIdentity: name, ...spec } },
      },
      { fieldManager: 'other' },
    )
  const leaves = (name: string): Promise<unknown> => others.delete(LEASE, { namespace: 'ops', name }, {})

  it('have one that does not say when it was renewed for a lease duration from when it is seen', async () => {
    await joins('other')
    const membership = start()
    await clock.advance(TIMINGS.leaseDuration - 100)
    expect(membership.members).to.deep.equal(['other', 'own'])
    await clock.advance(200)
    expect(membership.members).to.deep.equal(['own'])
  })

  const ends: readonly { readonly name: string; readonly events: readonly WatchEvent[] }[] = [
    { name: 'ends', events: [] },
    {
      name: 'says that its version is too old',
      events: [{ type: 'ERROR', status: { code: 410, reason: 'Expired', message: 'too old resource version' } }],
    },
  ]
  for (const { name, events } of ends) {
    it(`are listed anew when a watch ${name}: one that has left meanwhile is none any more`, async () => {
      await joins('other')
      let opened = 0
      const membership = start({
        async *watch(gvk, options) {
          opened += 1
          if (opened > 1) return yield* own.watch(gvk, options)
          await leaves('other')
          return yield* events
        },
      })
      await clock.settle()
      expect([membership.members, opened]).to.deep.equal([['other', 'own'], 1])
      await clock.advance(TIMINGS.retryPeriod)
      expect([membership.members, opened]).to.deep.equal([['own'], 2])
    })
  }

  it('never know one that ends before it takes part', async () => {
    await joins('other', { renewTime: new Date(clock.now()).toISOString() })
    let renewals = 0
    const patch: KubeClient['patch'] = (...given) => {
      renewals += 1
      return own.patch(...given)
    }
    const membership = start({ patch }, () => false)
    await clock.advance(TIMINGS.retryPeriod)
    stop.abort(new Error('it ends'))
    await clock.settle()
    expect([membership.members, renewals]).to.deep.equal([['other'], 0])
  })

  it('do not know one that may not write its Lease, which says so once', async () => {
    start({ patch: () => Promise.reject(forbidden('leases may not be patched')) })
    await clock.advance(5 * TIMINGS.retryPeriod)
    expect(log).to.deep.equal(['cannot renew the lease of this replica: leases may not be patched'])
  })

  const failures: readonly { readonly name: string; readonly error: Error; readonly members: readonly string[] }[] = [
    { name: 'remains one when it may not renew its Lease any more', error: forbidden('no'), members: ['own'] },
    { name: 'is none when the server has no answer', error: new ApiError(503, 'ServiceUnavailable', ''), members: [] },
    { name: 'is none when the connection breaks', error: new Error('the connection is broken'), members: [] },
  ]
  for (const { name, error, members } of failures) {
    it(`know of this process, after a lease duration, that it ${name}`, async () => {
      let isRefused = false
      const membership = start({
        patch: (...given) => (isRefused ? Promise.reject(error) : own.patch(...given)),
        list: (...given) => (isRefused ? Promise.reject(error) : own.list(...given)),
      })
      await clock.advance(TIMINGS.retryPeriod)
      expect(membership.members).to.deep.equal(['own'])
      isRefused = true
      await clock.advance(TIMINGS.leaseDuration + TIMINGS.retryPeriod)
      expect(membership.members).to.deep.equal(members)
      isRefused = false
      await clock.advance(2 * TIMINGS.retryPeriod)
      expect(membership.members).to.deep.equal(['own'])
    })
  }

  it('leave a forgotten Lease that was written at the moment it is removed, and say nothing of that', async () => {
    await joins('dead', { renewTime: '2020-01-01T00:00:00.000000Z' })
    let conflicts = 2
    start({
      delete: (...given) => {
        if (conflicts-- > 0) return Promise.reject(new ApiError(409, 'Conflict', 'it has changed'))
        return own.delete(...given)
      },
    })
    await clock.advance(TIMINGS.retryPeriod)
    expect(await others.get(LEASE, { namespace: 'ops', name: 'dead' })).to.not.equal(undefined)
    await clock.advance(2 * TIMINGS.retryPeriod)
    expect(await others.get(LEASE, { namespace: 'ops', name: 'dead' })).to.equal(undefined)
    expect(log).to.deep.equal([])
  })
})
