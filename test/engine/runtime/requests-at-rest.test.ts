import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { Informer } from '../../../src/engine/runtime/informer.ts'
import { beLikeAServer, CONFIG_MAP, FakeCluster } from '../../support/fake-cluster.ts'
import { long } from '../../support/long-tests.ts'

const KINDS = 10
const HOUR = 3_600_000

/** Lets informers of some kinds, to which nothing happens, live for so many hours. Returns their requests of an hour, on average. */
async function requestsAnHour(hours: number, isLikeAServer: boolean): Promise<number> {
  const clock = new FakeClock()
  const stop = new AbortController()
  const clusters = Array.from({ length: KINDS }, () => new FakeCluster())
  const informers = clusters.map((client) => {
    if (isLikeAServer) beLikeAServer(client, clock)
    client.put('a')
    return new Informer({ gvk: CONFIG_MAP }, { client, clock, logger: nopLogger, random: () => 0.5 })
  })
  const running = informers.map((informer) => informer.start(stop.signal))
  await clock.advance(HOUR)
  for (const { calls } of clusters) calls.splice(0)
  await clock.advance(hours * HOUR)
  stop.abort()
  await Promise.all(running)
  return clusters.reduce((sum, { calls }) => sum + calls.length, 0) / hours
}

describe(`an operator that watches ${KINDS} kinds, at rest`, () => {
  long.it(
    'makes 82 requests an hour: a watch each 7.5 minutes, and a comparison of the cache each 6 hours',
    async () => {
      expect(Math.round(await requestsAnHour(12, true))).to.equal(82)
    },
  )

  it('makes 800 requests an hour where the server sends no bookmarks: two each minute and a half', async () => {
    expect(Math.round(await requestsAnHour(1, false))).to.equal(800)
  })
})
