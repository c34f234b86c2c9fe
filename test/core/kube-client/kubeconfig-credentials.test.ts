import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KubeConfig } from '@kubernetes/client-node'
import { expect } from 'chai'
import { CodedError } from '../../../src/core/base/coded-error.ts'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { type LogFields, type Logger, nopLogger } from '../../../src/core/base/logger.ts'
import type { ServerAccess } from '../../../src/core/kube-client/access.ts'
import { connect } from '../../../src/core/kube-client/connect.ts'
import { type KubeconfigOptions, kubeconfigAccess } from '../../../src/core/kube-client/kubeconfig-credentials.ts'
import { eventually } from '../../support/eventually.ts'
import { long } from '../../support/long-tests.ts'

describe('kubeconfigAccess', () => {
  let folder: string
  let clock: FakeClock
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rolebook-kubeconfig-'))
    clock = new FakeClock()
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  function write(user: object, cluster: object = {}): string {
    const path = join(folder, 'config')
    const config = {
      clusters: [{ name: 'c', cluster: { server: 'https://host:6443/base', ...cluster } }],
      users: [{ name: 'u', user }],
      contexts: [
        { name: 'main', context: { cluster: 'c', user: 'u', namespace: 'team' } },
        { name: 'bare', context: { cluster: 'c', user: 'u' } },
        { name: 'without-user', context: { cluster: 'c' } },
        { name: 'broken', context: { cluster: 'nowhere', user: 'u' } },
      ],
      'current-context': 'main',
    }
    writeFileSync(path, JSON.stringify(config))
    return path
  }
  const access = (user: object, options: Partial<KubeconfigOptions> = {}, cluster: object = {}): ServerAccess =>
    kubeconfigAccess({ kubeconfig: write(user, cluster), clock, logger: nopLogger, ...options })
  const base64 = (text: string): string => Buffer.from(text).toString('base64')

  it('reads server, namespace, token and certificates', async () => {
    const user = { token: 't', 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') }
    const cluster = { 'certificate-authority-data': base64('CA'), 'tls-server-name': 'kubernetes' }
    const { url, context, namespace, credentials, proxyUrl } = access(user, {}, cluster)
    expect([url.href, context, namespace, proxyUrl]).to.deep.equal([
      'https://host:6443/base',
      'main',
      'team',
      undefined,
    ])
    const { headers, tls } = await credentials.current()
    expect(headers).to.deep.equal({ authorization: 'Bearer t' })
    expect([tls.ca, tls.cert, tls.key].map(String)).to.deep.equal(['CA', 'CERT', 'KEY'])
    expect([tls.servername, tls.rejectUnauthorized]).to.deep.equal(['kubernetes', undefined])
  })

  it('sends user and password as basic authentication, and impersonates', async () => {
    const { credentials } = access({ username: 'me', password: 'p:w', as: 'other' })
    expect((await credentials.current()).headers).to.deep.equal({
      authorization: `Basic ${base64('me:p:w')}`,
      'impersonate-user': 'other',
    })
  })

  it('takes the context that is asked for', () => {
    const { context, namespace } = access({}, { context: 'bare' })
    expect([context, namespace]).to.deep.equal(['bare', undefined])
  })

  it('names no context when the one of the kubeconfig was made of the service account of a pod', () => {
    const { KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT } = process.env
    const ofPod = new KubeConfig()
    Object.assign(process.env, { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' })
    try {
      ofPod.loadFromCluster()
    } finally {
      for (const [name, value] of Object.entries({ KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT })) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    }
    const kubeconfig = join(folder, 'of-pod')
    writeFileSync(kubeconfig, ofPod.exportConfig())
    const { url, context } = kubeconfigAccess({ kubeconfig, clock, logger: nopLogger })
    expect([url.href, context]).to.deep.equal(['https://10.0.0.1/', undefined])
  })

  it('takes the proxy of the kubeconfig, else that of the environment', () => {
    const environment = { HTTPS_PROXY: 'http://theirs:3128' }
    expect(access({}, { environment }).proxyUrl).to.equal('http://theirs:3128')
    expect(access({}, { environment }, { 'proxy-url': 'http://ours:3128' }).proxyUrl).to.equal('http://ours:3128')
  })

  it('sends no credentials for a context without a user', async () => {
    const { headers } = await access({}, { context: 'without-user' }).credentials.current()
    expect(headers).to.deep.equal({})
  })

  describe('without a file that is named', () => {
    const { KUBECONFIG, HOME } = process.env
    afterEach(() => {
      for (const [name, value] of Object.entries({ KUBECONFIG, HOME })) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    })
    const options = { kubeconfig: undefined }

    it('reads what KUBECONFIG names, as kubectl does', async () => {
      process.env.KUBECONFIG = write({ token: 'from the environment' })
      const { credentials } = kubeconfigAccess({ clock, logger: nopLogger })
      expect((await credentials.current()).headers.authorization).to.equal('Bearer from the environment')
    })

    it('refuses when there is none at all', () => {
      delete process.env.KUBECONFIG
      process.env.HOME = folder
      expect(() => access({}, options))
        .to.throw(CodedError, 'none was found')
        .with.property('code', 'InvalidKubeconfig')
    })
  })

  it('reads a token from its file, as pods have it, again once a minute', async () => {
    const tokenFile = join(folder, 'token')
    writeFileSync(tokenFile, 'first\n')
    const { credentials } = access({ 'auth-provider': { name: 'tokenFile', config: { tokenFile } } })
    expect((await credentials.current()).headers.authorization).to.equal('Bearer first')
    writeFileSync(tokenFile, 'second\n')
    await clock.advance(60_000)
    expect((await credentials.current()).headers.authorization).to.equal('Bearer second')
  })

  const tokenFiles = [
    { name: 'by its whole path', path: (whole: string) => whole, further: {} },
    { name: 'by its name beside the kubeconfig', path: () => 'token', further: {} },
    { name: 'before a token that is given', path: (whole: string) => whole, further: { token: 'of old' } },
  ]
  for (const { name, path, further } of tokenFiles) {
    it(`reads the token file that a kubeconfig names ${name}`, async () => {
      const whole = join(folder, 'token')
      writeFileSync(whole, 'in the file\n')
      const { credentials } = access({ tokenFile: path(whole), ...further })
      expect((await credentials.current()).headers.authorization).to.equal('Bearer in the file')
    })
  }

  describe('refuses', () => {
    const cases: { name: string; options?: Partial<KubeconfigOptions>; cluster?: object }[] = [
      { name: 'a file that is not there', options: { kubeconfig: '/nonexistent/config' } },
      { name: 'an unknown context', options: { context: 'nope' } },
      { name: 'a context without cluster', options: { context: 'broken' } },
      { name: 'a plain http server', cluster: { server: 'http://host' } },
      { name: 'a server that is not a URL', cluster: { server: 'host' } },
      { name: 'a SOCKS proxy', cluster: { 'proxy-url': 'socks5://host' } },
      { name: 'a SOCKS proxy of the environment', options: { environment: { HTTPS_PROXY: 'socks5://host' } } },
    ]
    for (const { name, options, cluster } of cases) {
      it(name, () => {
        expect(() => access({ token: 't' }, options, cluster))
          .to.throw(CodedError)
          .with.property('code', 'InvalidKubeconfig')
      })
    }

    for (const url of ['ftp://host', 'host']) {
      it(`a direct server that is not an http or https URL: ${url}`, async () => {
        const options = { server: { url }, userAgent: 'test', clock, logger: nopLogger }
        const error = await connect(options).catch((reason: unknown) => reason)
        expect(error).to.have.property('code', 'InvalidServerUrl')
      })
    }
  })

  it('reads files again once a minute, and keeps the TLS material as long as it is the same', async () => {
    const { credentials } = access({ token: 'old' })
    const first = await credentials.current()
    write({ token: 'new' })
    await clock.advance(59_999)
    expect(await credentials.current()).to.equal(first)
    await clock.advance(1)
    const second = await credentials.current()
    expect(second.headers.authorization).to.equal('Bearer new')
    expect(second.tls).to.equal(first.tls)
    write({ token: 'new', 'client-certificate-data': base64('ROTATED') })
    await clock.advance(60_000)
    expect((await credentials.current()).tls).to.not.equal(first.tls)
  })

  it('reads again at once after a refusal, and says whether anything is new', async () => {
    const { credentials } = access({ token: 'old' })
    const first = await credentials.current()
    expect(await credentials.renew(first)).to.equal(false)
    write({ token: 'new' })
    const stale = await credentials.current()
    expect(await credentials.renew(stale), 'not more often than each 5 s').to.equal(false)
    await clock.advance(5000)
    expect(await credentials.renew(stale)).to.equal(true)
    expect(await credentials.renew(stale), 'another request has renewed it already').to.equal(true)
    expect((await credentials.current()).headers.authorization).to.equal('Bearer new')
  })

  it('keeps what it has while files cannot be read', async () => {
    const warnings: (LogFields | undefined)[] = []
    const logger: Logger = { ...nopLogger, warn: (_message, fields) => warnings.push(fields) }
    const { credentials } = access({ token: 'old' }, { logger })
    await credentials.current()
    writeFileSync(join(folder, 'config'), 'cluster')
    await clock.advance(60_000)
    expect((await credentials.current()).headers.authorization).to.equal('Bearer old')
    expect(warnings.length).to.equal(1)
  })

  describe('exec plugins', () => {
    function plugin(body: string): object {
      const script = join(folder, 'plugin.mjs')
      const log = JSON.stringify(join(folder, 'calls'))
      writeFileSync(script, `import { appendFileSync } from 'node:fs'; appendFileSync(${log}, 'x'); ${body}`)
      return { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: [script] } }
    }
    const calls = (): number => readFileSync(join(folder, 'calls'), 'utf8').length
    const print = (status: string): string =>
      `process.stdout.write(JSON.stringify({ kind: 'ExecCredential', status: ${status} }))`

    it('start once, however many requests wait for them, and again only after a refusal', async () => {
      const { credentials } = access(plugin(print('{ token: String(process.pid) }')))
      const all = await Promise.all(Array.from({ length: 10 }, () => credentials.current()))
      expect(new Set(all).size).to.equal(1)
      await clock.advance(120_000)
      const later = await credentials.current()
      expect(later.headers).to.deep.equal(all[0]?.headers)
      expect(calls()).to.equal(1)
      expect(await credentials.renew(later)).to.equal(true)
      expect(calls()).to.equal(2)
    })

    async function execInfoOf(settings: object, cluster: object = {}): Promise<unknown> {
      const { exec } = plugin(print('{ token: process.env.KUBERNETES_EXEC_INFO }')) as { exec: object }
      const { headers } = await access({ exec: { ...exec, ...settings } }, {}, cluster).credentials.current()
      return JSON.parse(String(headers.authorization).slice('Bearer '.length))
    }

    it('get a description of the request in their environment', async () => {
      expect(await execInfoOf({ env: [{ name: 'A', value: 'b' }] })).to.deep.equal({
        kind: 'ExecCredential',
        apiVersion: 'client.authentication.k8s.io/v1',
        spec: { interactive: false },
      })
    })

    const authority = base64('CA')
    for (const { name, cluster } of [
      { name: 'in the kubeconfig', cluster: { 'certificate-authority-data': authority } },
      { name: 'in a file beside it', cluster: { 'certificate-authority': 'ca.pem' } },
    ]) {
      it(`get a description of the cluster when they ask for it, with an authority ${name}`, async () => {
        writeFileSync(join(folder, 'ca.pem'), 'CA')
        const rest = { 'tls-server-name': 'kubernetes', 'proxy-url': 'http://proxy:3128' }
        expect(await execInfoOf({ provideClusterInfo: true }, { ...cluster, ...rest })).to.have.deep.nested.property(
          'spec.cluster',
          {
            server: 'https://host:6443/base',
            'certificate-authority-data': authority,
            'insecure-skip-tls-verify': false,
            ...rest,
          },
        )
      })
    }

    it('do not start when the file of the authority is missing', () => {
      const { exec } = plugin('') as { exec: object }
      const cluster = { 'certificate-authority': 'gone.pem' }
      expect(() => access({ exec: { ...exec, provideClusterInfo: true } }, {}, cluster))
        .to.throw(CodedError)
        .with.property('code', 'InvalidKubeconfig')
    })

    describe('that hang', () => {
      const HANG = 'process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1000); '
      const pids = (): string => join(folder, 'pids')

      /** A plugin that writes the ids of the processes to end, and then never says anything. */
      function hanging(begin = ''): object {
        const note = `appendFileSync(${JSON.stringify(pids())}, `
        return plugin(`let child; ${begin}; ${note}\`\${process.pid} \${child?.pid} \\n\`); ${HANG}`)
      }
      async function begun(): Promise<readonly number[]> {
        await eventually(() => existsSync(pids()) && readFileSync(pids(), 'utf8').endsWith('\n'), 'it has begun')
        return readFileSync(pids(), 'utf8').split(' ').map(Number)
      }
      const failed = (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: unknown) => error)
      const isAlive = (pid: number | undefined): boolean => {
        try {
          return process.kill(Number(pid), 0)
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
          return false
        }
      }

      it('are ended after a minute, and others may begin', async () => {
        const { credentials } = access(hanging())
        const asked = failed(Promise.resolve(credentials.current()))
        const [pid] = await begun()
        await clock.advance(60_000)
        expect(await asked).to.include({ httpStatus: 401, reason: 'Unauthorized' })
        await eventually(() => !isAlive(pid), 'its process ends')
        plugin(print('{ token: "t" }'))
        expect((await credentials.current()).headers.authorization).to.equal('Bearer t')
        expect([calls(), clock.pending]).to.deep.equal([2, 0])
      })

      it('are ended with the connection', async () => {
        const { credentials } = access(hanging())
        const asked = failed(Promise.resolve(credentials.current()))
        const [pid] = await begun()
        credentials.close()
        expect(await asked).to.have.property('message', 'cannot get credentials: the connection is closed')
        await eventually(() => !isAlive(pid), 'its process ends')
        expect(clock.pending).to.equal(0)
      })

      it('are ended with the connection, also when they are asked again after a refusal', async () => {
        const { credentials } = access(plugin(print('{ token: "t" }')))
        const refused = await credentials.current()
        hanging()
        const asked = failed(credentials.renew(refused))
        const [pid] = await begun()
        credentials.close()
        await asked
        await eventually(() => !isAlive(pid), 'its process ends')
      })

      it('do not keep this process waiting for what they have started', async () => {
        const pipes = (): number => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length
        const before = pipes()
        const spawn = `spawn(process.execPath, ['-e', ${JSON.stringify(HANG)}], { stdio: 'inherit' })`
        const { credentials } = access(hanging(`child = (await import('node:child_process')).${spawn}`))
        const asked = failed(Promise.resolve(credentials.current()))
        const [, child] = await begun()
        try {
          credentials.close()
          await asked
          await eventually(() => pipes() <= before, 'nothing of it is read any more')
          expect(isAlive(child)).to.equal(true)
        } finally {
          process.kill(Number(child), 'SIGKILL')
        }
      })
    })

    long
      .it('that cannot be started for want of open files end nothing, and are started again later', () => {
        const source = new URL('../../../src', import.meta.url)
        const program = `
        import { closeSync, openSync } from 'node:fs'
        import { systemClock as clock } from '${source}/core/base/clock.ts'
        import { nopLogger as logger } from '${source}/core/base/logger.ts'
        import { kubeconfigAccess } from '${source}/core/kube-client/kubeconfig-credentials.ts'
        const { credentials } = kubeconfigAccess({ kubeconfig: process.argv[1], clock, logger })
        const files = []
        try {
          for (;;) files.push(openSync('/dev/null'))
        } catch {}
        const refused = await Promise.resolve(credentials.current()).catch((error) => error)
        for (const file of files) closeSync(file)
        const { headers } = await credentials.current()
        console.log(JSON.stringify([refused.reason, refused.message, headers]))
      `
        const kubeconfig = write(plugin(print('{ token: "t" }')))
        const limited = `ulimit -n 100; exec "$0" --input-type=module --eval "$1" "$2"`
        const { stdout, stderr } = spawnSync('sh', ['-c', limited, process.execPath, program, kubeconfig])
        expect(String(stderr)).to.equal('')
        expect(JSON.parse(String(stdout))).to.deep.equal([
          'Unauthorized',
          'cannot get credentials: too many files are open to start a program',
          { authorization: 'Bearer t' },
        ])
      })
      .timeout(20_000)

    it('that fail are an ApiError that says what they said', async () => {
      const { credentials } = access(plugin(`process.stderr.write('no network'); process.exit(3)`))
      const error = await Promise.resolve(credentials.current()).catch((reason: unknown) => reason)
      expect(error).to.include({ httpStatus: 401, reason: 'Unauthorized' })
      expect(error).to.have.property('message').that.contains('no network')
    })
  })
})
