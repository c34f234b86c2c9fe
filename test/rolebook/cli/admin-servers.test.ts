import { get as getPlainly } from 'node:http'
import { get as getSecurely } from 'node:https'
import { expect } from 'chai'
import { explain } from '../../../src/core/base/coded-error.ts'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { type Logger, nopLogger } from '../../../src/core/base/logger.ts'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import type { Operator } from '../../../src/engine/operator/operator.ts'
import { type AdminRoute, textAnswer } from '../../../src/engine/runtime/admin-route.ts'
import { formatListenAddress, parseListenAddress } from '../../../src/engine/runtime/listen-address.ts'
import { Metrics } from '../../../src/engine/runtime/metrics.ts'
import { type AdminParts, type AdminSettings, openAdminServers } from '../../../src/rolebook/cli/admin-servers.ts'
import { UsageError } from '../../../src/rolebook/cli/command.ts'
import { createServerCertificate } from '../../../src/sandbox/apiserver/http/certificates.ts'
import { ProjectFolder } from '../../support/project-folder.ts'

const LOCAL = { host: '127.0.0.1', port: 0 }
const OFF: AdminSettings = { metricsAddress: 'off', metricsSecure: true, probeAddress: 'off', uiAddress: 'off' }
const PAGE: AdminRoute = { path: '/ui/', access: 'public', handle: () => textAnswer(200, 'page') }
const EVENTS: AdminRoute = { path: '/ui/events', access: 'authorized', handle: () => textAnswer(200, 'events') }

/** The status of an answer, whatever the certificate. */
function statusOf(url: string, headers: Readonly<Record<string, string>> = {}): Promise<number | undefined> {
  const get = url.startsWith('https:') ? getSecurely : getPlainly
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, rejectUnauthorized: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    request.on('error', reject)
  })
}

describe('the servers of an operator', () => {
  const stops: (() => Promise<unknown>)[] = []
  afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())))

  /** Opens and starts them; what they log, and their addresses by name. */
  async function open(settings: Partial<AdminSettings>, further: Partial<AdminParts> = {}) {
    const warnings: string[] = []
    const urls: Record<string, string> = {}
    const logger: Logger = {
      ...nopLogger,
      warn: (message) => void warnings.push(message),
      info: (_message, fields) => void Object.assign(urls, { [String(fields?.server)]: fields?.url }),
    }
    const operator = { isStarted: true, longestRun: 0, failing: [], watches: () => [].values() } as unknown as Operator
    const parts = { operator, metrics: new Metrics({ version: '1' }), client: {} as KubeClient, clock: new FakeClock() }
    const ui = { dashboard: () => [PAGE, EVENTS], isInCluster: false }
    const servers = await openAdminServers({ ...parts, ...ui, logger, ...further, settings: { ...OFF, ...settings } })
    const abort = new AbortController()
    const running = servers.map((server) => server.start(abort.signal))
    stops.push(() => {
      abort.abort()
      return Promise.all(running)
    })
    return { warnings, urls, names: servers.map(({ name }) => name) }
  }

  it('are none unless they are asked for', async () => {
    expect((await open({})).names).to.deep.equal(['event loop watch'])
  })

  it('serve probes over HTTP and metrics over TLS, to whom the API server lets in', async () => {
    const { urls, warnings } = await open({ probeAddress: LOCAL, metricsAddress: LOCAL })
    expect(urls['probes server']).to.match(/^http:\/\/127/)
    expect(urls['metrics server']).to.match(/^https:\/\/127/)
    const answer = await fetch(`${urls['probes server']}/readyz?verbose`)
    expect(await answer.text()).to.equal('[+]ping ok\n[+]operator ok\nreadyz check passed\n')
    expect((await fetch(`${urls['probes server']}/metrics`)).status).to.equal(404)
    expect(warnings).to.deep.equal([])
  })

  it('take the certificate from a folder', async () => {
    const folder = await ProjectFolder.create()
    const { certificate, key } = await createServerCertificate(Date.now())
    await folder.write('tls.crt', certificate)
    await folder.write('tls.key', key)
    const { urls } = await open({ metricsAddress: LOCAL, metricsCertDir: folder.path('.') })
    expect(urls['metrics server']).to.match(/^https:/)
    await folder.delete()
  })

  const NO_CERTIFICATE = [
    { name: 'is not there', files: async () => undefined, why: /: ENOENT: .*tls\.(crt|key)/ },
    {
      name: 'holds something else',
      files: async () => ({ 'tls.crt': 'it', 'tls.key': 'it' }),
      why: /: error:.*no start line$/,
    },
    {
      name: 'holds nothing yet',
      files: async () => ({ 'tls.crt': '', 'tls.key': '' }),
      why: /: one of them is empty$/,
    },
    {
      name: 'holds the key of another certificate',
      async files() {
        const { certificate } = await createServerCertificate(Date.now())
        const { key } = await createServerCertificate(Date.now())
        return { 'tls.crt': certificate, 'tls.key': key }
      },
      why: /: error:.*key values mismatch$/,
    },
  ]
  for (const { name, files, why } of NO_CERTIFICATE) {
    it(`do not start while the folder of the certificate ${name}: the message names the flag`, async () => {
      const folder = await ProjectFolder.create(await files())
      const metricsCertDir = folder.path('.')
      const failure = await open({ metricsAddress: LOCAL, metricsCertDir }).catch((error: unknown) => error)
      await folder.delete()
      expect(failure).to.be.instanceOf(UsageError)
      expect(explain(failure))
        .to.match(/^cannot use --metrics-cert-dir ".*": expected a folder with a certificate \(tls\.crt\) and its key/)
        .and.to.match(why)
    })
  }

  const insecure = [
    { name: 'this machine', address: '127.0.0.1:0', warnings: 0 },
    { name: 'the network, with a warning', address: ':0', warnings: 1 },
  ]
  for (const { name, address, warnings: expected } of insecure) {
    it(`serve metrics without TLS to ${name}`, async () => {
      const metricsAddress = parseListenAddress(address) ?? 'off'
      const routes = [{ path: '/explain/', access: 'authorized' as const, handle: () => textAnswer(200, 'why') }]
      const { urls, warnings } = await open({ metricsAddress, metricsSecure: false }, { routes })
      expect(warnings).to.have.length(expected)
      const url = urls['metrics server']
      expect((await fetch(`${url}/metrics`)).status).to.equal(200)
      expect((await fetch(`${url}/explain/x`)).status, 'what only some may see').to.equal(expected === 0 ? 200 : 403)
    })
  }

  const dashboards = [
    { name: 'all who work on this machine', address: '127.0.0.1:0', isInCluster: false, scheme: 'http:', status: 200 },
    {
      name: 'those with a token, in a cluster',
      address: '127.0.0.1:0',
      isInCluster: true,
      scheme: 'https:',
      status: 401,
    },
    { name: 'those with a token, from the network', address: ':0', isInCluster: false, scheme: 'https:', status: 401 },
  ]
  for (const { name, address, isInCluster, scheme, status } of dashboards) {
    it(`show the dashboard to ${name}, and its page to everybody`, async () => {
      const { urls } = await open({ uiAddress: parseListenAddress(address) ?? 'off' }, { isInCluster })
      const url = urls['dashboard server'] ?? ''
      expect(new URL(url).protocol).to.equal(scheme)
      expect(await statusOf(`${url}/ui/`)).to.equal(200)
      expect(await statusOf(`${url}/ui/events`)).to.equal(status)
    })
  }

  it('ask for one right for all that the dashboard shows', async () => {
    const asked: unknown[] = []
    const create = async (object: KubeObject): Promise<KubeObject> => {
      asked.push(object.spec)
      return { ...object, status: { authenticated: true, user: { username: 'ann' }, allowed: true } }
    }
    const client = { create } as unknown as KubeClient
    const { urls } = await open({ uiAddress: LOCAL }, { isInCluster: true, client })
    expect(await statusOf(`${urls['dashboard server']}/ui/events`, { authorization: 'Bearer abc' })).to.equal(200)
    const path = { path: '/ui/', verb: 'get' }
    expect(asked[1]).to.deep.include({ user: 'ann', nonResourceAttributes: path })
  })

  it('are all closed when one of them cannot listen', async () => {
    const { urls } = await open({ probeAddress: LOCAL })
    const port = Number(new URL(urls['probes server'] ?? '').port)
    const closed = await open({ probeAddress: LOCAL, metricsAddress: { ...LOCAL, port }, metricsSecure: false }).catch(
      (error: unknown) => error,
    )
    expect(closed).to.include({ code: 'CannotListen' })
  })
})

describe('an address to listen on', () => {
  const cases = [
    { text: ':8081', address: { host: '', port: 8081 } },
    { text: '127.0.0.1:0', address: { host: '127.0.0.1', port: 0 } },
    { text: '[::1]:9', address: { host: '::1', port: 9 } },
    { text: 'localhost:65535', address: { host: 'localhost', port: 65_535 } },
    { text: ':65536', address: undefined },
    { text: '8081', address: undefined },
    { text: '::1:9', address: undefined },
    { text: 'a b:1', address: undefined },
    { text: ':', address: undefined },
    { text: '', address: undefined },
  ]
  for (const { text, address } of cases) {
    it(`"${text}" is ${address ? 'one' : 'none'}`, () => {
      expect(parseListenAddress(text)).to.deep.equal(address)
      if (address) expect(formatListenAddress(address)).to.equal(text)
    })
  }
})
