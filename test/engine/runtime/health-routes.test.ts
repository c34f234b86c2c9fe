import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import type { AdminAnswer } from '../../../src/engine/runtime/admin-route.ts'
import { EventLoopWatch } from '../../../src/engine/runtime/event-loop-watch.ts'
import { type HealthCheck, healthRoutes } from '../../../src/engine/runtime/health-routes.ts'

const OK: HealthCheck = { name: 'good', problem: undefined }
const BAD: HealthCheck = { name: 'watch-Pod', problem: 'the watch is down' }
const ODD: HealthCheck = { name: 'event-loop', problem: 'it keeps everything waiting' }

async function ask(target: string, checks = { live: [OK], ready: [OK, BAD] }): Promise<AdminAnswer> {
  const url = new URL(target, 'http://localhost')
  const routes = healthRoutes({ live: () => checks.live, ready: () => checks.ready })
  const fitting = routes.filter(({ path }) =>
    path.endsWith('/') ? url.pathname.startsWith(path) : url.pathname === path,
  )
  const [route] = fitting
  if (!route) throw new Error(`no route for ${target}`)
  expect(route.access).to.equal('public')
  const signal = new AbortController().signal
  return route.handle({ path: url.pathname, query: url.searchParams, signal, header: () => undefined })
}

describe('probes', () => {
  const cases = [
    { path: '/healthz', status: 200, body: 'ok' },
    { path: '/livez', status: 200, body: 'ok' },
    { path: '/livez?verbose', status: 200, body: '[+]ping ok\n[+]good ok\nlivez check passed\n' },
    {
      path: '/readyz',
      status: 500,
      body: '[+]ping ok\n[+]good ok\n[-]watch-Pod failed: the watch is down\nreadyz check failed\n',
    },
    { path: '/readyz?exclude=watch-Pod', status: 200, body: 'ok' },
    {
      path: '/readyz?verbose&exclude=watch-Pod&exclude=',
      status: 200,
      body: '[+]ping ok\n[+]good ok\n[+]watch-Pod excluded: ok\nreadyz check passed\n',
    },
    {
      path: '/livez?verbose=1&exclude=other',
      status: 200,
      body: '[+]ping ok\n[+]good ok\nwarn: some health checks cannot be excluded: there is none of that name\nlivez check passed\n',
    },
    { path: '/readyz/watch-Pod', status: 500, body: '[-]watch-Pod failed: the watch is down\n' },
    { path: '/readyz/good', status: 200, body: 'ok' },
    { path: '/livez/', status: 200, body: 'ok' },
  ]
  for (const { path, status, body } of cases) {
    it(`answer ${path} with ${status}`, async () => {
      const answer = await ask(path)
      expect({ status: answer.status, body: answer.body }).to.deep.equal({ status, body })
    })
  }

  it('answer 404 to a check that is none', async () => {
    const answer = await ask('/livez/watch-Pod')
    expect(answer.status).to.equal(404)
    expect(JSON.parse(answer.body)).to.include({ reason: 'NotFound' })
  })

  it('fail for the process without failing for what it watches, and the other way round', async () => {
    expect((await ask('/livez', { live: [ODD], ready: [OK] })).status).to.equal(500)
    expect((await ask('/readyz', { live: [ODD], ready: [OK] })).status).to.equal(200)
    expect((await ask('/healthz', { live: [OK], ready: [BAD] })).status).to.equal(200)
  })
})

describe('the watch of the event loop', () => {
  /** A clock whose timers come as late as a test says. */
  class LateClock extends FakeClock {
    late = 0
    override sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
      return super.sleep(milliseconds + this.late, signal)
    }
  }

  const cases = [
    { name: 'is content with a loop in time', delays: new Array(20).fill(0), starved: false },
    {
      name: 'forgives one long pause: a laptop that slept',
      delays: [600_000, ...new Array(9).fill(0)],
      starved: false,
    },
    { name: 'sees a loop that is late again and again', delays: new Array(6).fill(2_000), starved: true },
    { name: 'sees it recover', delays: [...new Array(10).fill(2_000), ...new Array(5).fill(0)], starved: false },
  ]
  for (const { name, delays, starved } of cases) {
    it(name, async () => {
      const clock = new LateClock()
      const watch = new EventLoopWatch(clock)
      const abort = new AbortController()
      clock.late = delays[0]
      const running = watch.start(abort.signal)
      for (const [index, delay] of delays.entries()) {
        clock.late = delays[index + 1] ?? 0
        await clock.advance(1_000 + delay)
      }
      expect(watch.isStarved).to.equal(starved)
      abort.abort()
      await running
    })
  }
})
