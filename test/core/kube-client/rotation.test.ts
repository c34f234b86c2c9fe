import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { type Connection, connect } from '../../../src/core/kube-client/connect.ts'
import { ApiServer } from '../../../src/sandbox/apiserver/api-server.ts'
import { builtinSchemas } from '../../sandbox/apiserver/sandbox.ts'
import { accountToken } from '../../support/account-token.ts'

const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }
const KEY = { namespace: 'default', name: 'c' }
const ADMIN = 'administrator'

describe('credentials that change while an operator runs', () => {
  let folder: string
  let clock: FakeClock
  let server: ApiServer
  let ca: string
  let url: string
  let connection: Connection
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rolebook-rotation-'))
    clock = new FakeClock()
    await serve()
    writeFileSync(join(folder, 'ca.crt'), ca)
  })
  afterEach(async () => {
    await connection?.close()
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  async function serve(port = 0): Promise<void> {
    const options = { schemas: builtinSchemas(), clock, workloads: false, token: ADMIN, authorization: 'always-allow' }
    server = new ApiServer(options as ConstructorParameters<typeof ApiServer>[0])
    ;({ url, ca } = await server.start(port))
    server.objects.create(made('ServiceAccount', 'robot'), 'test')
    server.objects.create(made('ConfigMap', 'c'), 'test')
  }

  const made = (kind: string, name: string): KubeObject => ({
    apiVersion: 'v1',
    kind,
    metadata: { name, namespace: 'default' },
  })

  /** A token as the kubelet gets it for a pod, good for ten minutes. */
  async function writeToken(): Promise<void> {
    const robot = { namespace: 'default', name: 'robot' }
    const token = await accountToken({ url, ca, token: ADMIN }, robot, { expirationSeconds: 600 })
    writeFileSync(join(folder, 'token'), token)
  }

  /** With the files of a pod's service account. */
  async function enter(): Promise<void> {
    const config = {
      clusters: [{ name: 'c', cluster: { server: url, 'certificate-authority': join(folder, 'ca.crt') } }],
      users: [{ name: 'u', user: { tokenFile: join(folder, 'token') } }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'c',
    }
    writeFileSync(join(folder, 'config'), JSON.stringify(config))
    const kubeconfig = join(folder, 'config')
    connection = await connect({ kubeconfig, userAgent: 'test', clock, logger: nopLogger })
  }

  const look = (): Promise<string | undefined> =>
    connection.client.get(CONFIG_MAP, KEY).then(
      (object) => object?.metadata.name,
      (error) => error.reason,
    )

  it('a token that has expired is read again when the server refuses it', async () => {
    await writeToken()
    await enter()
    expect(await look()).to.equal('c')
    await clock.advance(590_000)
    expect(await look(), 'the file is read again').to.equal('c')
    await writeToken()
    await clock.advance(15_000)
    expect(await look(), 'the token in memory has expired').to.equal('c')
  })

  it('as long as there is no new token, requests fail and are refused, and heal by themselves', async () => {
    await writeToken()
    await enter()
    expect(await look()).to.equal('c')
    await clock.advance(601_000)
    expect(await look()).to.equal('Unauthorized')
    expect(await look()).to.equal('Unauthorized')
    await writeToken()
    await clock.advance(5_000)
    expect(await look()).to.equal('c')
  })

  it('an authority that has changed is believed within a minute', async () => {
    await writeToken()
    await enter()
    expect(await look()).to.equal('c')
    const { port } = new URL(url)
    await server.stop()
    await serve(Number(port))
    await writeToken()
    writeFileSync(join(folder, 'ca.crt'), ca)
    await clock.advance(60_000)
    expect(await look()).to.equal('c')
  })
})
