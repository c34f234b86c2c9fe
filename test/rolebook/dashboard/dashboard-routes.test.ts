import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import type { Reader } from '../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { RunHistory } from '../../../src/engine/operator/run-history.ts'
import type { Role } from '../../../src/engine/role/role.ts'
import type { Access, AdminServerOptions } from '../../../src/engine/runtime/admin-server.ts'
import { AdminServer } from '../../../src/engine/runtime/admin-server.ts'
import { Metrics } from '../../../src/engine/runtime/metrics.ts'
import { dashboardRoutes } from '../../../src/rolebook/dashboard/dashboard-routes.ts'
import type { ResourceDetails } from '../../../src/rolebook/ui/model.ts'

const SHOP: KubeObject = {
  ...{ apiVersion: 'example.com/v1', kind: 'Shop' },
  metadata: { name: '<b>web</b>', namespace: 'default', uid: 'u' },
}
const ROLE = { name: 'shop', tasks: [] } as unknown as Role
const FILES = new Map([
  ['index.html', { contentType: 'text/html; charset=utf-8', text: '<p>page</p>' }],
  ['page.js', { contentType: 'text/javascript; charset=utf-8', text: 'start()' }],
])
const DETAILS = `/ui/resource/example.com/Shop/default/${encodeURIComponent('<b>web</b>')}`

describe('the routes of the dashboard', () => {
  const stops: (() => Promise<void>)[] = []
  afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())))

  async function serve(
    access?: Access,
    list: Reader['list'] = async () => ({ items: [], resourceVersion: '1' }),
  ): Promise<string> {
    const none = () => [].values()
    const clock = new FakeClock()
    const routes = dashboardRoutes({
      operator: {
        resources: () => [{ resource: SHOP, role: ROLE }].values(),
        objectsOf: () => [],
        ...{ queues: none, watches: none, shards: none, hungRuns: () => [], failing: [], leads: true },
      },
      ...{ history: new RunHistory(), metrics: new Metrics({ version: '1' }), version: '1', instance: 'one' },
      ...{ clock, logger: nopLogger, client: { list }, files: FILES },
    })
    const authorize: AdminServerOptions['authorize'] = access && (async () => access)
    const address = { host: '127.0.0.1', port: 0 }
    const server = new AdminServer({ name: 'test', address, routes, clock, logger: nopLogger, authorize })
    await server.listen()
    stops.push(() => server.close())
    return server.url
  }

  it('serve the page to everybody, with a policy that lets only its own files in', async () => {
    const answer = await fetch(`${await serve({ kind: 'unauthenticated' })}/`)
    expect(await answer.text()).to.equal('<p>page</p>')
    expect(answer.url).to.match(/\/ui\/$/)
    expect(answer.headers.get('content-security-policy')).to.match(
      /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/,
    )
  })

  it('serve the files of the page by their names', async () => {
    const answer = await fetch(`${await serve({ kind: 'unauthenticated' })}/ui/page.js`)
    expect(answer.headers.get('content-type')).to.equal('text/javascript; charset=utf-8')
    expect(await answer.text()).to.equal('start()')
  })

  const guarded = ['/ui/events', '/ui/resource/example.com/Shop/default/web']
  for (const path of guarded) {
    it(`show ${path} only to those whom the API server lets in`, async () => {
      expect((await fetch(`${await serve({ kind: 'unauthenticated' })}${path}`)).status).to.equal(401)
      expect((await fetch(`${await serve({ kind: 'forbidden', message: 'no' })}${path}`)).status).to.equal(403)
    })
  }

  const missing = ['/ui/other', '/ui/resource/example.com/Shop/default/none', '/ui/resource/%zz']
  for (const path of missing) {
    it(`have nothing at ${path}`, async () => expect((await fetch(`${await serve()}${path}`)).status).to.equal(404))
  }

  it('send what there is, and go on', async () => {
    const end = new AbortController()
    const answer = await fetch(`${await serve()}/ui/events`, { signal: end.signal })
    let text = ''
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString()
      if (text.includes('"type":"overview"')) break
    }
    expect(answer.headers.get('content-type')).to.equal('text/event-stream')
    expect(text).to.match(/^id: \w+-0\ndata: {"type":"reset"}\n\nid: \w+-1\ndata: {"type":"rows"/)
    end.abort()
  })

  it('show a resource, and say why there are no events', async () => {
    const refused: Reader['list'] = async () => Promise.reject(new ApiError(403, 'Forbidden', 'no right'))
    const answer = await fetch(`${await serve(undefined, refused)}${DETAILS}`)
    const details = (await answer.json()) as ResourceDetails
    expect(details.row.name).to.equal('<b>web</b>')
    expect(details.eventsProblem).to.include('may not read events')
  })

  it('keep at most 32 pages up to date', async () => {
    const url = `${await serve()}/ui/events`
    const end = new AbortController()
    const open = () => fetch(url, { signal: end.signal })
    const pages = await Promise.all(Array.from({ length: 32 }, open))
    expect(pages.every(({ status }) => status === 200)).to.equal(true)
    const refused = await open()
    expect(refused.status).to.equal(503)
    expect(await refused.json()).to.include({ message: 'cannot answer: too many pages are open (close some)' })
    end.abort()
  })

  it('ask the API server for at most 8 resources at the same time', async () => {
    const release = Promise.withResolvers<void>()
    const full = Promise.withResolvers<void>()
    let asked = 0
    const list: Reader['list'] = async () => {
      asked++
      if (asked === 8) full.resolve()
      await release.promise
      return { items: [], resourceVersion: '1' }
    }
    const url = `${await serve(undefined, list)}${DETAILS}`
    const answers = Array.from({ length: 8 }, () => fetch(url))
    await full.promise
    const refused = await fetch(url)
    expect(refused.status).to.equal(503)
    expect(await refused.json()).to.include({ message: 'cannot answer: too many requests at once (try again)' })
    release.resolve()
    expect((await Promise.all(answers)).map(({ status }) => status)).to.deep.equal(Array(8).fill(200))
    expect((await fetch(url)).status).to.equal(200)
  })
})
