import { request as httpsRequest } from 'node:https'
import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import { explain } from '../../../src/core/base/coded-error.ts'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { type AdminRequest, textAnswer } from '../../../src/engine/runtime/admin-route.ts'
import { AdminServer, type AdminServerOptions } from '../../../src/engine/runtime/admin-server.ts'
import { DelegatedAccess } from '../../../src/engine/runtime/delegated-access.ts'
import { healthRoutes } from '../../../src/engine/runtime/health-routes.ts'
import { Metrics } from '../../../src/engine/runtime/metrics.ts'
import { metricsRoute } from '../../../src/engine/runtime/metrics-route.ts'
import { certificateIn, ownCertificate } from '../../../src/rolebook/cli/certificates.ts'
import { createServerCertificate } from '../../../src/sandbox/apiserver/http/certificates.ts'
import { SandboxCluster } from '../../../src/sandbox/cluster/sandbox-cluster.ts'
import { accountToken } from '../../support/account-token.ts'
import { ProjectFolder } from '../../support/project-folder.ts'

const ANYWHERE = { host: '', port: 0 }
const RBAC = 'rbac.authorization.k8s.io'

/** Starts a server, and stops it after `use`. */
async function serving(
  options: Partial<AdminServerOptions>,
  use: (server: AdminServer, clock: FakeClock) => Promise<void>,
): Promise<void> {
  const clock = new FakeClock()
  const server = new AdminServer({ name: 'test', address: ANYWHERE, routes: [], clock, logger: nopLogger, ...options })
  await server.listen()
  const abort = new AbortController()
  const running = server.start(abort.signal)
  try {
    await use(server, clock)
  } finally {
    abort.abort()
    await running
  }
}

describe('who may see what, with rights from the API server', () => {
  let cluster: SandboxCluster
  const tokens: Record<string, string> = { none: '', bad: 'not-a-token', 'too long': 'x'.repeat(17_000) }

  before(async () => {
    cluster = await SandboxCluster.start({ clock: systemClock, logger: nopLogger, tls: false, authorization: 'rbac' })
    for (const name of ['reader', 'nobody']) {
      await cluster.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } })
      tokens[name] = await accountToken(cluster.access, { namespace: 'default', name })
    }
    const role = { apiGroup: RBAC, kind: 'ClusterRole', name: 'reads-metrics' }
    const head = { apiVersion: `${RBAC}/v1`, metadata: { name: role.name } }
    const rules = [{ nonResourceURLs: ['/metrics', '/explain/*'], verbs: ['get'] }]
    await cluster.apply({ ...head, kind: 'ClusterRole', rules })
    const subjects = [{ kind: 'ServiceAccount', name: 'reader', namespace: 'default' }]
    await cluster.apply({ ...head, kind: 'ClusterRoleBinding', roleRef: role, subjects })
  })
  after(() => cluster.stop())

  const paths = [
    { path: '/metrics', open: false },
    { path: '/explain/v1/x', open: false },
    { path: '/livez', open: true },
    { path: '/readyz', open: true },
    { path: '/healthz', open: true },
    { path: '/elsewhere', open: undefined },
  ]
  const callers = [
    { token: 'none', closed: 401 },
    { token: 'bad', closed: 401 },
    { token: 'too long', closed: 431 },
    { token: 'nobody', closed: 403 },
    { token: 'reader', closed: 200 },
  ]
  for (const { path, open } of paths) {
    for (const { token, closed } of callers) {
      const status = closed === 431 ? 431 : open === undefined ? 404 : open ? 200 : closed
      it(`${path} with the token "${token}": ${status}`, async () => {
        const access = new DelegatedAccess({ client: cluster.connection.client, clock: new FakeClock() })
        const routes = [
          ...healthRoutes({ live: () => [], ready: () => [] }),
          metricsRoute(new Metrics({ version: '1' }), 'authorized'),
          { path: '/explain/', access: 'authorized' as const, handle: () => textAnswer(200, 'because') },
        ]
        await serving({ routes, authorize: (request) => access.authorize(request) }, async ({ url }) => {
          const authorization = tokens[token] ? { authorization: `Bearer ${tokens[token]}` } : {}
          const answer = await fetch(`${url}${path}`, { headers: authorization })
          expect(answer.status).to.equal(status)
          if (status === 401) expect(answer.headers.get('www-authenticate')).to.equal('Bearer')
          if (status === 403) expect(await answer.text()).to.include('system:serviceaccount:default:nobody')
        })
      })
    }
  }
})

describe('access that the API server decides', () => {
  /** Answers of a server by kind of review, and how often each was asked for. */
  function accessWith(answers: { TokenReview: unknown; SubjectAccessReview?: unknown }) {
    const asked: string[] = []
    const clock = new FakeClock()
    const create = async ({ kind, spec }: KubeObject): Promise<KubeObject> => {
      asked.push(kind)
      const status = answers[kind as keyof typeof answers]
      if (status instanceof Error) throw status
      return { apiVersion: 'v1', kind, metadata: {}, spec, status } as KubeObject
    }
    const access = new DelegatedAccess({ client: { create }, clock })
    const ask = async (token = 'Bearer t', path = '/metrics'): Promise<string> => {
      const header = (name: string): string | undefined => (name === 'authorization' ? token : undefined)
      const request: AdminRequest = { path, query: new URLSearchParams(), signal: new AbortController().signal, header }
      return (await access.authorize(request)).kind
    }
    return { ask, asked, clock, answers }
  }

  const KNOWN = { authenticated: true, user: { username: 'u', groups: ['g'] } }

  it('is asked for once in a minute, by many at once, too', async () => {
    const { ask, asked, clock } = accessWith({ TokenReview: KNOWN, SubjectAccessReview: { allowed: true } })
    expect(await Promise.all([ask(), ask(), ask()])).to.deep.equal(['allowed', 'allowed', 'allowed'])
    await clock.advance(59_999)
    expect(await ask('bearer t')).to.equal('allowed')
    expect(asked).to.deep.equal(['TokenReview', 'SubjectAccessReview'])
    await clock.advance(1)
    await ask()
    expect(asked).to.have.length(4)
  })

  it('is asked for each path', async () => {
    const { ask, asked, answers } = accessWith({ TokenReview: KNOWN, SubjectAccessReview: { allowed: true } })
    expect(await ask()).to.equal('allowed')
    answers.SubjectAccessReview = { allowed: false }
    expect(await ask('Bearer t', '/explain/x')).to.equal('forbidden')
    expect(asked).to.deep.equal(['TokenReview', 'SubjectAccessReview', 'SubjectAccessReview'])
  })

  it('is asked for again after ten seconds when it was refused', async () => {
    const { ask, clock, answers } = accessWith({ TokenReview: KNOWN, SubjectAccessReview: { allowed: false } })
    expect(await ask()).to.equal('forbidden')
    answers.SubjectAccessReview = { allowed: true }
    expect(await ask()).to.equal('forbidden')
    await clock.advance(10_000)
    expect(await ask()).to.equal('allowed')
  })

  const cases = [
    { name: 'another path is another question', path: '/explain/x', review: { allowed: true }, kind: 'allowed' },
    { name: 'what is denied although it is allowed', review: { allowed: true, denied: true }, kind: 'forbidden' },
    { name: 'an answer without a status', review: undefined, kind: 'forbidden' },
    { name: 'a review that names no user', token: { authenticated: true }, kind: 'unauthenticated' },
    { name: 'a token for another scheme', header: 'Basic dTpw', kind: 'unauthenticated' },
    { name: 'a token of two words', header: 'Bearer a b', kind: 'unauthenticated' },
  ]
  for (const { name, path, review, token = KNOWN, header, kind } of cases) {
    it(`${name}: ${kind}`, async () => {
      const { ask } = accessWith({ TokenReview: token, SubjectAccessReview: review })
      expect(await ask(header, path)).to.equal(kind)
    })
  }

  it('is refused while the API server cannot be asked, and is asked for again at once', async () => {
    const { ask, answers } = accessWith({ TokenReview: new ApiError(0, 'NoAnswer', 'away') })
    const failure = await ask().catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(ApiError)
    Object.assign(answers, { TokenReview: KNOWN, SubjectAccessReview: { allowed: true } })
    expect(await ask()).to.equal('allowed')
  })

  it('forgets the oldest of very many tokens', async () => {
    const { ask, asked } = accessWith({ TokenReview: { authenticated: false } })
    for (let index = 0; index <= 1_000; index++) await ask(`Bearer t${index}`)
    await ask('Bearer t1000')
    expect(asked).to.have.length(1_001)
    await ask('Bearer t0')
    expect(asked).to.have.length(1_002)
  })

  it('is 500 without a word of why to the caller, 403 to the network without anybody to ask', async () => {
    const routes = [{ path: '/x', access: 'authorized' as const, handle: () => textAnswer(200, 'x') }]
    const authorize = async (): Promise<never> => {
      throw new Error('the server at 10.0.0.1 is away')
    }
    await serving({ routes, authorize }, async ({ url }) => {
      const answer = await fetch(`${url}/x`)
      expect(answer.status).to.equal(500)
      expect(await answer.text()).not.to.include('10.0.0.1')
    })
    await serving({ routes }, async ({ url }) => {
      expect((await fetch(`${url}/x`)).status).to.equal(403)
    })
  })
})

describe('the certificate of a server', () => {
  const routes = [{ path: '/x', access: 'public' as const, handle: () => textAnswer(200, 'x') }]
  const names = (name: string) => ({ name, issuer: 'CN=ca', hosts: ['localhost'] })

  /** The common name of who answers. */
  function subjectAt(url: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const request = httpsRequest(`${url}/x`, { rejectUnauthorized: false, agent: false }, (response) => {
        const { subject } = (
          response.socket as unknown as { getPeerCertificate(): { subject: { CN: string } } }
        ).getPeerCertificate()
        response.resume().on('end', () => resolve(subject.CN))
      })
      request.on('error', reject).end()
    })
  }

  it('is made at the start where there is none, and stays', async () => {
    const tls = ownCertificate(() => Date.now())
    expect(await tls.current()).to.equal(await tls.current())
    await serving({ routes, tls }, async ({ url }) => {
      expect(url).to.match(/^https:/)
      expect(await subjectAt(url)).to.equal('rolebook')
    })
  })

  it('is read again when the files change; a broken one changes nothing', async () => {
    const folder = await ProjectFolder.create()
    const write = async (name: string): Promise<void> => {
      const { certificate, key } = await createServerCertificate(Date.now(), names(name))
      await folder.write('tls.crt', certificate)
      await folder.write('tls.key', key)
    }
    try {
      await write('first')
      const log: string[] = []
      const note = (message: string): void => void log.push(message)
      const logger = { ...nopLogger, info: note, warn: note }
      await serving({ routes, logger, tls: certificateIn(folder.path('.')) }, async ({ url }, clock) => {
        /** One look; reading files takes its time. */
        const look = async (said: string): Promise<void> => {
          await clock.advance(10_000)
          while (log.at(-1) !== said) await new Promise((resolve) => setImmediate(resolve))
        }
        expect(await subjectAt(url)).to.equal('first')
        await folder.write('tls.crt', 'no certificate')
        await look('cannot renew the certificate: the last one is still used')
        expect(await subjectAt(url)).to.equal('first')
        await write('second')
        log.push('mended')
        await look('the certificate is renewed')
        expect(await subjectAt(url)).to.equal('second')
      })
    } finally {
      await folder.delete()
    }
  })
})

describe('a server that cannot listen', () => {
  it('says where and what for, and leaves nothing behind', async () => {
    await serving({ address: { host: '127.0.0.1', port: 0 } }, async ({ url }) => {
      const port = Number(new URL(url).port)
      const options = { name: 'metrics', address: { host: '127.0.0.1', port }, routes: [] }
      const second = new AdminServer({ ...options, clock: new FakeClock(), logger: nopLogger })
      const failure = await second.listen().catch((error: unknown) => error)
      expect(failure).to.include({ code: 'CannotListen' })
      const place = `127.0.0.1:${port}`
      expect(explain(failure)).to.equal(
        `cannot listen on ${place} for metrics: listen EADDRINUSE: address already in use ${place}`,
      )
      await second.close()
    })
  })

  it('has nothing to close before it listens', async () => {
    const options = { name: 'x', address: ANYWHERE, routes: [], clock: new FakeClock(), logger: nopLogger }
    await new AdminServer(options).close()
  })
})
