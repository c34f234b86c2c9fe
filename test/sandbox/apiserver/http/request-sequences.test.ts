import { expect } from 'chai'
import { systemClock } from '../../../../src/core/base/clock.ts'
import { configMap, Sandbox } from '../sandbox.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const PODS = '/api/v1/namespaces/default/pods'
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'

/** As a real kube-apiserver 1.36 does it. */
describe('Requests with several steps', () => {
  const sandbox = new Sandbox()
  before(async () => {
    await sandbox.start()
    for (const name of ['a', 'b']) sandbox.objects.create(configMap(name, { metadata: { labels: { z: '1' } } }), 'test')
  })
  after(() => sandbox.stop())

  it('that bind a pod give it what the binding carries', async () => {
    const pod = { metadata: { name: 'p' }, spec: { schedulerName: 'absent', containers: [{ name: 'c', image: 'x' }] } }
    await sandbox.send('POST', PODS, { body: pod })
    const metadata = { name: 'p', annotations: { a: 'b' }, labels: { l: 'm' } }
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata, target: { kind: 'Node', name: 'n' } }
    expect((await sandbox.send('POST', `${PODS}/p/binding`, { body: binding })).status).to.equal(201)
    const { body } = await sandbox.send('GET', `${PODS}/p`)
    expect(body.metadata).to.deep.include({ annotations: { a: 'b' }, labels: { l: 'm' } })
    expect(body.spec).to.include({ nodeName: 'n' })
  })

  it('that evict a pod may say how long it has', async () => {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } }
    const body = { ...eviction, deleteOptions: { gracePeriodSeconds: 0 } }
    expect((await sandbox.send('POST', `${PODS}/p/eviction`, { body })).status).to.equal(201)
    expect((await sandbox.send('GET', `${PODS}/p`)).status).to.equal(404)
  })

  const deletions = [
    { name: 'orphan, in the old form', body: { orphanDependents: true }, query: '', status: 200, adds: 'orphan' },
    { name: 'orphan, in the query', body: undefined, query: '?orphanDependents=true', status: 200, adds: 'orphan' },
    { name: 'not orphan', body: undefined, query: '?orphanDependents=false', status: 202, adds: undefined },
    { name: 'not wait', body: { gracePeriodSeconds: 0 }, query: '', status: 200, adds: undefined },
  ]
  for (const { name, body, query, status, adds } of deletions) {
    it(`that delete may ${name}`, async () => {
      const path = `${MAPS}/${name.replaceAll(/[ ,]+/g, '-')}`
      await sandbox.send('POST', MAPS, {
        body: configMap(path.slice(MAPS.length + 1), { metadata: { finalizers: ['x/y'] } }),
      })
      const answer = await sandbox.send('DELETE', `${path}${query}`, body && { body })
      expect(answer.status, answer.text).to.equal(status)
      expect(answer.body)
        .to.have.nested.property('metadata.finalizers')
        .that.has.members(adds ? [adds, 'x/y'] : ['x/y'])
    })
  }

  it('for the next page name no version', async () => {
    const { body } = await sandbox.send('GET', `${MAPS}?limit=1&labelSelector=z`)
    const token = (body.metadata as { continue: string }).continue
    const next = `${MAPS}?labelSelector=z&continue=${token}`
    expect((await sandbox.send('GET', next)).status).to.equal(200)
    expect((await sandbox.send('GET', `${next}&resourceVersion=0`)).status).to.equal(200)
    const answer = await sandbox.send('GET', `${next}&resourceVersion=5`)
    expect(answer.status).to.equal(400)
    expect(answer.text).to.include('specifying resource version is not allowed when using continue')
  })

  it('for tables get the columns once in a watch', async () => {
    const path = `${MAPS}?watch=1&timeoutSeconds=1&labelSelector=z&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`
    const { text } = await sandbox.send('GET', path, { headers: { accept: TABLE } })
    const events = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.map(({ type }) => type)).to.deep.equal(['ADDED', 'ADDED', 'BOOKMARK'])
    expect(events[0].object.columnDefinitions).to.have.length(3)
    expect(events[1].object.columnDefinitions).to.equal(null)
    expect(events[2].object.rows[0].object.metadata.annotations).to.have.property('k8s.io/initial-events-end', 'true')
  })

  it('that watch get every one of many changes at once', async () => {
    const { resourceVersion } = sandbox.objects.create(configMap('first'), 'test').metadata
    for (let index = 0; index < 450; index++) sandbox.objects.create(configMap(`many-${index}`), 'test')
    const { text } = await sandbox.send('GET', `${MAPS}?watch=1&timeoutSeconds=1&resourceVersion=${resourceVersion}`)
    expect(text.trim().split('\n')).to.have.length(450)
  })
})

describe('A fault of the server itself', () => {
  it('is reported to the client, and the connection stays', async () => {
    let isBroken = false
    const now = (): number => {
      if (isBroken) throw new Error('no time')
      return systemClock.now()
    }
    const sandbox = new Sandbox({ clock: { ...systemClock, now } })
    await sandbox.start()
    isBroken = true
    const answer = await sandbox.send('GET', MAPS)
    isBroken = false
    expect(answer.status).to.equal(500)
    expect(answer.body.message).to.equal('Internal error occurred: no time')
    await sandbox.stop()
  })
})
