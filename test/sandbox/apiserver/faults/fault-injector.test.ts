import { expect } from 'chai'
import { systemClock } from '../../../../src/core/base/clock.ts'
import { FaultInjector } from '../../../../src/sandbox/apiserver/faults/fault-injector.ts'
import type { FaultAction, FaultCondition, FaultRule } from '../../../../src/sandbox/apiserver/faults/fault-plan.ts'
import { configMap, Sandbox } from '../sandbox.ts'

const PATH = '/api/v1/namespaces/default/configmaps'
const FAILURE: FaultAction = { reply: { code: 503, body: { kind: 'Status', code: 503 }, retryAfter: 7 } }

describe('Faults of a plan', () => {
  const injector = new FaultInjector({ seed: 1, rules: [] }, systemClock)
  const sandbox = new Sandbox({ faults: injector })
  before(async () => {
    await sandbox.start()
    await sandbox.send('POST', PATH, { body: configMap('a') as never })
  })
  after(() => sandbox.stop())
  const plan = (...rules: FaultRule[]): void => injector.replacePlan({ seed: 1, rules })
  const get = (name = 'a', headers = {}) => sandbox.send('GET', `${PATH}/${name}`, { headers })
  const statuses = async (count: number): Promise<number[]> => {
    const found: number[] = []
    for (let n = 0; n < count; n++) found.push((await get()).status)
    return found
  }

  const conditions: readonly { name: string; when: FaultCondition; statuses: readonly number[] }[] = [
    { name: 'all', when: {}, statuses: [503, 503, 503, 503] },
    { name: 'those of a verb', when: { verbs: ['list', 'get'] }, statuses: [503, 503, 503, 503] },
    { name: 'not those of another verb', when: { verbs: ['patch'] }, statuses: [200, 200, 200, 200] },
    { name: 'those of a resource', when: { group: '', resource: 'configmaps' }, statuses: [503, 503, 503, 503] },
    { name: 'not those of another group', when: { group: 'apps' }, statuses: [200, 200, 200, 200] },
    { name: 'not those of a subresource', when: { subresource: 'status' }, statuses: [200, 200, 200, 200] },
    { name: 'those of an object', when: { namespace: 'default', name: 'a' }, statuses: [503, 503, 503, 503] },
    { name: 'not those of another object', when: { name: 'b' }, statuses: [200, 200, 200, 200] },
    { name: 'the k-th', when: { matches: [2, 4] }, statuses: [200, 503, 200, 503] },
    { name: 'each n-th', when: { every: 2 }, statuses: [200, 503, 200, 503] },
    { name: 'the first of each n-th', when: { every: 2, first: 1 }, statuses: [200, 503, 200, 200] },
    { name: 'none by chance', when: { probability: 0 }, statuses: [200, 200, 200, 200] },
  ]
  for (const { name, when, statuses: expected } of conditions) {
    it(`befall ${name}`, async () => {
      plan({ when, do: FAILURE })
      expect(await statuses(4)).to.deep.equal(expected)
    })
  }

  it('befall those of a user agent', async () => {
    plan({ when: { userAgent: 'kubectl' }, do: FAILURE })
    expect((await get('a', { 'user-agent': 'kubectl/v1.36' })).status).to.equal(503)
    expect((await get('a', { 'user-agent': 'helm' })).status).to.equal(200)
  })

  it('befall the same ones for the same seed', async () => {
    const chance = { when: { probability: 0.5 }, do: FAILURE }
    const once = async () => {
      plan(chance)
      return statuses(20)
    }
    const first = await once()
    expect(first).to.include(200)
    expect(first).to.include(503)
    expect(await once()).to.deep.equal(first)
  })

  it('of the first rule that fits count, and later rules count on', async () => {
    plan({ when: { matches: [1] }, do: FAILURE }, { when: { matches: [2] }, do: { reply: { code: 500, body: {} } } })
    expect(await statuses(3)).to.deep.equal([503, 500, 200])
  })

  it('answer in place of the server, with the time to wait', async () => {
    plan({ when: {}, do: FAILURE })
    const { headers, body } = await get()
    expect([headers['retry-after'], body]).to.deep.equal(['7', { kind: 'Status', code: 503 }])
  })

  it('come after a while', async () => {
    plan({ when: {}, do: { latency: 50 } })
    const start = performance.now()
    expect((await get()).status).to.equal(200)
    expect(performance.now() - start).to.be.above(45)
  })

  it('cut the connection before a write is done, or after', async () => {
    const fails = async (name: string) => {
      const sent = sandbox.send('POST', PATH, { body: configMap(name) as never })
      expect(await sent.then(() => 'answered').catch(() => 'cut')).to.equal('cut')
    }
    plan(
      { when: { verbs: ['create'], matches: [1] }, do: { drop: 'before' } },
      { when: { verbs: ['create'], matches: [2] }, do: { drop: 'after' } },
    )
    await fails('never')
    await fails('done')
    expect([(await get('never')).status, (await get('done')).status]).to.deep.equal([404, 200])
  })

  it('cut an answer', async () => {
    plan({ when: {}, do: { truncate: 10 } })
    expect(await get().catch(({ code }: { code: string }) => code)).to.equal('UND_ERR_SOCKET')
  })

  it('hold an answer back, before the request is served and within its body', async () => {
    for (const stall of ['before', 5] as const) {
      plan({ when: {}, do: { stall } })
      const signal = AbortSignal.timeout(60)
      const sent = fetch(`${sandbox.url}${PATH}/a`, { headers: { authorization: `Bearer ${sandbox.token}` }, signal })
      const outcome = await sent.then((answer) => answer.text()).catch(({ name }: Error) => name)
      expect(outcome, String(stall)).to.equal('TimeoutError')
    }
  })

  it('leave watches alone that they do not speak of', async () => {
    plan({ when: { resource: 'configmaps' }, do: { truncate: 3 } })
    const { status, text } = await sandbox.send('GET', `${PATH}?watch=1&timeoutSeconds=1`)
    expect([status, text.includes('ADDED')]).to.deep.equal([200, true])
    expect((await sandbox.send('GET', '/version')).status).to.equal(200)
    expect((await sandbox.send('GET', '/api/v1/namespaces/default/secrets')).status).to.equal(200)
  })

  it('forget the versions of lists and watches', async () => {
    plan({ when: { verbs: ['list', 'watch'] }, do: { expire: true } })
    const list = await sandbox.send('GET', `${PATH}?limit=1`)
    expect([list.status, list.body.reason]).to.deep.equal([410, 'Expired'])
    const watch = await sandbox.send('GET', `${PATH}?watch=1`)
    expect([watch.status, JSON.parse(watch.text).object.code]).to.deep.equal([200, 410])
  })
})

describe('Faults of a watch', () => {
  const injector = new FaultInjector({ seed: 1, rules: [] }, systemClock)
  const sandbox = new Sandbox({ faults: injector })
  before(async () => {
    await sandbox.start()
    for (const name of ['a', 'b', 'c', 'd']) {
      await sandbox.send('POST', PATH, { body: configMap(name, { metadata: { labels: { of: 'test' } } }) as never })
    }
  })
  after(() => sandbox.stop())

  const QUERY = 'watch=1&labelSelector=of%3Dtest&timeoutSeconds=1&allowWatchBookmarks=true'
  const INITIAL = '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan'
  const watches: readonly { name: string; watch: FaultAction['watch']; frames: string }[] = [
    { name: 'none', watch: {}, frames: 'a b c d BOOKMARK' },
    { name: 'an early end', watch: { closeAfter: 2 }, frames: 'a b' },
    { name: 'an error', watch: { expireAfter: 1 }, frames: 'a ERROR' },
    { name: 'no bookmarks', watch: { suppressBookmarks: true }, frames: 'a b c d' },
    { name: 'frames twice', watch: { duplicateEvery: 2 }, frames: 'a b b c d d BOOKMARK' },
    { name: 'frames in another order', watch: { swapEvery: 2 }, frames: 'a c b BOOKMARK d' },
    { name: 'late frames', watch: { delay: 30, closeAfter: 5 }, frames: 'a b c d BOOKMARK' },
  ]
  for (const { name, watch, frames } of watches) {
    it(`can be ${name}`, async () => {
      injector.replacePlan({ seed: 1, rules: [{ when: { verbs: ['watch'] }, do: { watch } }] })
      const { text } = await sandbox.send('GET', `${PATH}?${QUERY}${INITIAL}`)
      const events = text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
      const shown = events.map(({ type, object }) => (type === 'ADDED' ? object.metadata.name : type))
      expect(shown.join(' ')).to.equal(frames)
    })
  }

  it('can be silence, beyond its time', async () => {
    injector.replacePlan({ seed: 1, rules: [{ when: { verbs: ['watch'] }, do: { watch: { freezeAfter: 3 } } }] })
    const headers = { authorization: `Bearer ${sandbox.token}` }
    const answer = await fetch(`${sandbox.url}${PATH}?${QUERY}${INITIAL}`, {
      headers,
      signal: AbortSignal.timeout(1300),
    })
    let text = ''
    const read = async () => {
      for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString()
    }
    const outcome = await read().catch(({ name }: Error) => name)
    expect([outcome, text.match(/ADDED/g)?.length]).to.deep.equal(['TimeoutError', 3])
  })
})
