import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../../src/core/base/logger.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { Reader } from '../../../../src/core/kube/client.ts'
import { WatchFailures } from '../../../../src/engine/operator/watching/unserved-kinds.ts'
import { Informer } from '../../../../src/engine/runtime/informer.ts'
import type { InformerSpec } from '../../../../src/engine/runtime/informer-spec.ts'
import { CONFIG_MAP, FakeCluster } from '../../../support/fake-cluster.ts'
import { isCollected } from '../../../support/is-collected.ts'
import { long } from '../../../support/long-tests.ts'
import { partOf } from '../../../support/part-of.ts'

describe('WatchFailures of informers of one kind', () => {
  const cases: { name: string; refused: Omit<InformerSpec, 'gvk'>; waited: Omit<InformerSpec, 'gvk'> }[] = [
    { name: 'in two namespaces', refused: { namespace: 'forbidden' }, waited: { namespace: 'default' } },
    { name: 'with two selectors', refused: { labelSelector: 'a=b' }, waited: {} },
    { name: 'whole and metadata only', refused: {}, waited: { metadataOnly: true } },
  ]
  for (const { name, refused, waited } of cases) {
    it(`${name} are reported only to those who wait for the one that fails`, async () => {
      const clock = new FakeClock()
      const failures = new WatchFailures()
      const refuse = new FakeCluster()
      refuse.refusals.push(new ApiError(403, 'Forbidden', 'x'))
      const informerOn = (reader: Reader, spec: Omit<InformerSpec, 'gvk'>): Informer =>
        new Informer({ ...spec, gvk: CONFIG_MAP }, { client: failures.observe(reader), clock, logger: nopLogger })
      const [failing, fine] = [informerOn(refuse, refused), informerOn(new FakeCluster(), waited)]
      const answers = [failing, fine].map((informer) =>
        failures.synced(informer).then(
          () => 'synced',
          (error: ApiError) => error.reason,
        ),
      )
      const abort = new AbortController()
      void failing.start(abort.signal)
      await clock.settle()
      void fine.start(abort.signal)
      await clock.settle()
      expect(await Promise.all(answers)).to.deep.equal(['Forbidden', 'synced'])
      abort.abort()
    })
  }

  it('are not held against an informer that was filled before', async () => {
    const clock = new FakeClock()
    const failures = new WatchFailures()
    const cluster = new FakeCluster()
    const informer = new Informer({ gvk: CONFIG_MAP }, { client: failures.observe(cluster), clock, logger: nopLogger })
    const abort = new AbortController()
    void informer.start(abort.signal)
    await clock.settle()
    cluster.endStreams(new ApiError(403, 'Forbidden', 'x'))
    await clock.settle()
    expect(informer.lastError).to.be.an('error')
    await failures.synced(informer)
    abort.abort()
  })

  it('leave those in peace who ask while a list comes in pages, which the server would not stream', async () => {
    const clock = new FakeClock()
    const failures = new WatchFailures()
    const cluster = new FakeCluster()
    cluster.withoutWatchList = true
    const answered = Promise.withResolvers<void>()
    const list = cluster.list.bind(cluster)
    cluster.list = async (...given) => {
      await answered.promise
      return list(...given)
    }
    const informer = new Informer({ gvk: CONFIG_MAP }, { client: failures.observe(cluster), clock, logger: nopLogger })
    const abort = new AbortController()
    void informer.start(abort.signal)
    await clock.settle()
    expect((informer.lastError as ApiError).httpStatus).to.equal(422)
    const answer = failures.synced(informer).then(
      () => 'synced',
      (error: ApiError) => error.reason,
    )
    await clock.settle()
    answered.resolve()
    expect(await answer).to.equal('synced')
    abort.abort()
  })

  it('do not include errors that no server has answered with', async () => {
    const clock = new FakeClock()
    const failures = new WatchFailures()
    const cluster = new FakeCluster()
    cluster.withoutWatchList = true
    cluster.refusals.push(undefined, new TypeError('x'))
    const informer = new Informer({ gvk: CONFIG_MAP }, { client: failures.observe(cluster), clock, logger: nopLogger })
    const synced = failures.synced(informer)
    const abort = new AbortController()
    void informer.start(abort.signal)
    await clock.advance(30_000)
    await synced
    abort.abort()
  })

  it('include a kind that cannot be listed in any way, at each request', async () => {
    const clock = new FakeClock()
    const failures = new WatchFailures()
    const cluster = new FakeCluster()
    cluster.refusals.push(...Array.from({ length: 3 }, () => new ApiError(405, 'MethodNotAllowed', 'x')))
    const informer = new Informer({ gvk: CONFIG_MAP }, { client: failures.observe(cluster), clock, logger: nopLogger })
    const ask = (): Promise<string> =>
      failures.synced(informer).then(
        () => 'synced',
        (error: ApiError) => error.reason,
      )
    const early = ask()
    const abort = new AbortController()
    void informer.start(abort.signal)
    await clock.settle()
    expect(await early).to.equal('MethodNotAllowed')
    const late = ask()
    await clock.advance(30_000)
    expect(await late).to.equal('MethodNotAllowed')
    abort.abort()
  })

  long.it('keep nothing of those who waited for a kind that can never be listed', async () => {
    const clock = new FakeClock()
    const failures = new WatchFailures()
    const refused = async (): Promise<never> => {
      throw new ApiError(405, 'MethodNotAllowed', 'x')
    }
    const reader = partOf<Reader>({
      list: refused,
      watch: () => ({ [Symbol.asyncIterator]: () => ({ next: refused }) }),
    })
    const client = failures.observe(reader)
    const informer = new Informer({ gvk: CONFIG_MAP }, { client, clock, logger: nopLogger })
    const abort = new AbortController()
    const running = informer.start(abort.signal)
    const wait = async (): Promise<WeakRef<object>> => {
      const answer = failures.synced(informer).catch((error: ApiError) => error)
      await clock.advance(60_000)
      return new WeakRef((await answer) as ApiError)
    }
    const first = await wait()
    await wait()
    expect(await isCollected(first)).to.equal(true)
    abort.abort()
    await running
    expect(informer.isSynced).to.equal(false)
  })
})
