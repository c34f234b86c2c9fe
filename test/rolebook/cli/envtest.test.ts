import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import 'reflect-metadata'
import { PemConverter, Pkcs10CertificateRequestGenerator } from '@peculiar/x509'
import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { serverOptionsOf } from '../../../src/rolebook/cli/envtest/kube-apiserver.ts'
import { ProgramFlags } from '../../../src/rolebook/cli/envtest/program-flags.ts'
import { writeLaunchers } from '../../../src/rolebook/cli/envtest/write-launchers.ts'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import { parseTokenFile } from '../../../src/sandbox/apiserver/access/token-file.ts'
import { createServerCertificate, signClientRequest } from '../../../src/sandbox/apiserver/http/certificates.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { freePorts } from '../../support/free-ports.ts'
import { long } from '../../support/long-tests.ts'
import { RolebookProcess } from '../../support/rolebook-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

describe('rolebook envtest', () => {
  const folder = temporaryFolder()
  let assets = ''
  before(async () => {
    assets = await write(folder.at('assets with a space'))
  })
  after(() => folder.remove())

  const write = async (dir: string, path = process.env.PATH): Promise<string> => {
    const program = new RolebookProcess(['envtest', dir], { env: { ...process.env, PATH: path } })
    expect(await program.ended(), program.stderr).to.equal(0)
    return program.stdout.trim()
  }

  it('writes programs, and may write them again', async () => {
    expect(assets).to.equal(folder.at('assets with a space'))
    for (const name of ['kube-apiserver', 'etcd']) expect(statSync(join(assets, name)).mode & 0o111).to.equal(0o111)
    expect(await write(assets)).to.equal(assets)
  })

  it('links to the kubectl of PATH, and not to its own', async () => {
    const bin = mkdtempSync(folder.at('bin-'))
    writeFileSync(join(bin, 'kubectl'), '#!/bin/sh\n')
    chmodSync(join(bin, 'kubectl'), 0o755)
    const dir = await write(folder.at('linked'), bin)
    expect(readlinkSync(join(dir, 'kubectl'))).to.equal(join(bin, 'kubectl'))
    await write(dir, `${dir}:${bin}`)
    expect(readlinkSync(join(dir, 'kubectl'))).to.equal(join(bin, 'kubectl'))
    const without = await write(folder.at('without'), mkdtempSync(folder.at('empty-')))
    expect(statSync(join(without, 'kubectl'), { throwIfNoEntry: false })).to.equal(undefined)
  })

  it('replaces no program that it has not written', async () => {
    const dir = folder.at('foreign')
    mkdirSync(dir)
    writeFileSync(join(dir, 'etcd'), 'a real one')
    const terminal = new FakeTerminal()
    expect(await runProgram(['envtest', dir], terminal)).to.equal(2)
    expect(terminal.stderr).to.include('it is there already')
    expect(readFileSync(join(dir, 'etcd'), 'utf8')).to.equal('a real one')
  })

  it('needs a folder', async () => {
    expect(await runProgram(['envtest'], new FakeTerminal())).to.equal(2)
  })

  it('has programs that list their flags by themselves, too', async () => {
    const terminal = new FakeTerminal()
    expect(await runProgram(['envtest', '--run', 'etcd', '--', '--help'], terminal)).to.equal(0)
    expect(terminal.stdout).to.match(/^etcd of rolebook envtest\. .*\n\n *--listen-client-urls +where to say/)
  })

  it('writes programs that a shell finds in a folder with any name', () => {
    const helps = { 'kube-apiserver': '', etcd: '' }
    const dir = writeLaunchers(folder.at('odd'), {
      node: "/it's here/node",
      program: '/b/rolebook.mjs',
      path: '',
      helps,
    })
    expect(readFileSync(join(dir, 'etcd'), 'utf8')).to.include(`'/it'\\''s here/node' /b/rolebook.mjs`)
  })

  it('has programs that list their flags, without one that envtest would give to older servers', async () => {
    const help = await outputOf(join(assets, 'kube-apiserver'), ['--help'])
    expect(help)
      .to.match(/^ *--client-ca-file\b/m)
      .and.to.not.match(/insecure-port/)
    expect(await outputOf(join(assets, 'etcd'), ['--help'])).to.match(/^ *--listen-client-urls\b/m)
    expect(await outputOf(join(assets, 'etcd'), ['--version'])).to.include('in place of etcd')
  })

  it('has an etcd that is healthy until it is stopped', async () => {
    const port = (await freePorts(1))[0] ?? 0
    const url = `http://127.0.0.1:${port}`
    const child = spawn(join(assets, 'etcd'), [`--listen-client-urls=${url}`, '--data-dir', folder.path, '--unknown'])
    await answering(() => getText(`${url}/health`))
    for (const path of ['health', 'readyz', 'livez'])
      expect(JSON.parse(await getText(`${url}/${path}`)), path).to.deep.equal({ health: 'true' })
    expect(await getText(`${url}/version`)).to.equal('')
    expect(await stopped(child)).to.equal(0)
  })

  for (const [name, args] of [
    ['etcd', (port: number) => [`--listen-client-urls=http://127.0.0.1:${port}`]],
    ['kube-apiserver', (port: number) => [`--secure-port=${port}`]],
  ] as const) {
    long.it(`has a program ${name} that ends with a test that is killed`, async () => {
      const port = (await freePorts(1))[0] ?? 0
      const test = spawn('sh', ['-c', '"$0" "$@" & wait', join(assets, name), ...args(port)])
      await answering(() => connected(port))
      test.kill('SIGKILL')
      await refusing(() => connected(port))
    })
  }

  long.it('has a kube-apiserver that knows the certificates of the test', async () => {
    const certDir = mkdtempSync(folder.at('certs-'))
    const serving = await createServerCertificate(Date.now())
    const clients = await createServerCertificate(Date.now())
    writeFileSync(join(certDir, 'apiserver.crt'), serving.certificate)
    writeFileSync(join(certDir, 'apiserver.key'), serving.key)
    writeFileSync(join(certDir, 'client-cert-auth-ca.crt'), clients.ca)
    const port = (await freePorts(1))[0] ?? 0
    const child = spawn(join(assets, 'kube-apiserver'), [
      `--cert-dir=${certDir}`,
      `--client-ca-file=${join(certDir, 'client-cert-auth-ca.crt')}`,
      `--secure-port=${port}`,
      '--authorization-mode=RBAC',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--disable-admission-plugins=ServiceAccount',
      '--etcd-servers=http://127.0.0.1:1',
      '--service-account-issuer=https://127.0.0.1/',
    ])
    try {
      const ask = (path: string, more = {}) => getJson({ port, path, ca: serving.ca, ...more })
      await answering(() => ask('/healthz'))
      const admin = await clientCertificate(clients.caKey ?? '', 'CN=admin, O=system:masters')
      const jane = await clientCertificate(clients.caKey ?? '', 'CN=jane')
      const services = '/api/v1/namespaces/default/services'
      expect((await ask(services)).status).to.equal(403)
      expect((await ask(services, jane)).body.message).to.include('User "jane" cannot list resource "services"')
      expect((await ask(services, admin)).body).to.have.nested.property('items[0].spec.clusterIP', '10.0.0.1')
    } finally {
      expect(await stopped(child)).to.equal(0)
    }
  })
})

describe('The flags of kube-apiserver', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  const parsed: readonly (readonly [args: readonly string[], name: string, values: readonly string[]])[] = [
    [['--a=b'], 'a', ['b']],
    [['--a', 'b'], 'a', ['b']],
    [['-a=b'], 'a', ['b']],
    [['--a', '--b'], 'a', ['true']],
    [['--a=b,c', '--a=d'], 'a', ['b', 'c', 'd']],
    [['--a=b=c'], 'a', ['b=c']],
    [['stray', '--a='], 'a', []],
    [[], 'a', []],
  ]
  for (const [args, name, values] of parsed) {
    it(`are read from '${args.join(' ')}'`, () => expect(new ProgramFlags(args).list(name)).to.deep.equal(values))
  }

  const optionsOf = (...args: readonly string[]) => serverOptionsOf(new ProgramFlags(args))

  for (const [mode, expected] of [
    ['RBAC', 'rbac'],
    ['Node,RBAC', 'rbac'],
    ['AlwaysAllow', 'always-allow'],
    ['RBAC,AlwaysAllow', 'rbac,always-allow'],
  ] as const) {
    it(`ask ${expected} with --authorization-mode=${mode}`, async () => {
      expect((await optionsOf(`--authorization-mode=${mode}`)).authorization).to.equal(expected)
    })
  }

  it('know the tokens of a file', async () => {
    writeFileSync(folder.at('tokens.csv'), 't0ken,jane,1,"admins"\n')
    const { staticTokens } = await optionsOf(`--token-auth-file=${folder.at('tokens.csv')}`)
    expect(staticTokens).to.deep.equal(parseTokenFile('t0ken,jane,1,"admins"\n'))
    expect((await optionsOf()).staticTokens).to.equal(undefined)
  })

  it('take the range of IPv4 of two, and refuse what is none', async () => {
    const { serviceRange } = await optionsOf('--service-cluster-ip-range=fd00::/108,10.1.0.0/16')
    expect(serviceRange).to.deep.equal({ network: 0x0a010000, size: 65536 })
    const refused = await optionsOf('--service-cluster-ip-range=10.0.0.0/8').catch((error: Error) => error.message)
    expect(refused).to.include('expected IPv4 addresses')
  })

  it('have certificates made where none are, and keep them', async () => {
    const dir = join(folder.path, 'new')
    const first = await optionsOf(`--cert-dir=${dir}`)
    expect(readFileSync(join(dir, 'apiserver.crt'), 'utf8')).to.equal(first.certificate?.certificate)
    expect((await optionsOf(`--cert-dir=${dir}`)).certificate).to.deep.equal(first.certificate)
    expect((await optionsOf()).certificate?.caKey).to.be.a('string')
  })

  it('name files that can be read', async () => {
    const refused = await optionsOf('--client-ca-file=missing').catch((error: Error) => error.message)
    expect(refused).to.include('cannot read missing')
  })

  it('name a file of tokens', () => {
    const text = 'secret,jane,7,"admins,system:masters"\nplain,joe,8\n\n,nobody,9\n'
    expect([...parseTokenFile(text)]).to.deep.equal([
      ['secret', { name: 'jane', uid: '7', groups: ['admins', 'system:masters', 'system:authenticated'] }],
      ['plain', { name: 'joe', uid: '8', groups: ['system:authenticated'] }],
    ])
  })
})

async function outputOf(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const [code] = await once(child, 'close')
  expect(code).to.equal(0)
  return output
}

async function stopped(child: ChildProcess): Promise<unknown> {
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  return code
}

/** Asks until there is an answer, as envtest does. */
async function answering(ask: () => Promise<unknown>): Promise<void> {
  for (const end = performance.now() + 50_000; ; ) {
    const answer = await ask().catch((error: Error) => error)
    if (!(answer instanceof Error)) return
    if (performance.now() > end) throw answer
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Asks until there is no answer. */
async function refusing(ask: () => Promise<unknown>): Promise<void> {
  for (const end = performance.now() + 20_000; ; ) {
    if ((await ask().catch((error: Error) => error)) instanceof Error) return
    if (performance.now() > end) throw new Error('it still answers')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function connected(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}

function getText(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve(text))
    }).on('error', reject)
  })
}

function getJson(options: object): Promise<{ status: number | undefined; body: JsonObject }> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', agent: false, ...options }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => {
        const isJson = response.headers['content-type']?.includes('json')
        resolve({ status: response.statusCode, body: isJson ? JSON.parse(text) : {} })
      })
    })
      .on('error', reject)
      .end()
  })
}

async function clientCertificate(caKey: string, name: string): Promise<{ key: string; cert: string }> {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' }
  const wanted = await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm })
  const times = { from: Date.now() - 60_000, until: Date.now() + 3_600_000 }
  const key = PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')
  return { key, cert: await signClientRequest(wanted.toString('pem'), caKey, times) }
}
