import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createProxy } from 'node:http'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, connect as dial } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { connect } from '../../../src/core/kube-client/connect.ts'
import { createServerCertificate, type ServerCertificate } from '../../../src/sandbox/apiserver/http/certificates.ts'
import { coreDiscovery } from '../../support/discovery-documents.ts'

const OPTIONS = { userAgent: 'rolebook/test', logger: nopLogger, clock: systemClock }
const POD = { group: '', version: 'v1', kind: 'Pod' }

describe('connect, over TLS', () => {
  let server: Server
  let certificate: ServerCertificate
  let url: string
  let authorizations: (string | undefined)[]
  before(async () => {
    certificate = await createServerCertificate(Date.now())
  })
  beforeEach(async () => {
    authorizations = []
    server = createServer({ key: certificate.key, cert: certificate.certificate }, ({ headers }, response) => {
      authorizations.push(headers.authorization)
      response.end(JSON.stringify(coreDiscovery))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  it('trusts the authority that it is given, and shows its token', async () => {
    const connection = await connect({ ...OPTIONS, server: { url, ca: certificate.ca, token: 't' } })
    expect((await connection.mapper.mappingFor(POD)).plural).to.equal('pods')
    expect(connection.serverUrl).to.equal(url)
    expect(authorizations).to.deep.equal(['Bearer t', 'Bearer t'])
    await connection.close()
  })

  it('does not trust a server whose authority it was not given', async () => {
    const connection = await connect({ ...OPTIONS, server: { url, token: 't' }, deadline: 500 })
    const error = await connection.mapper.mappingFor(POD).catch((reason: unknown) => reason)
    expect(error).to.include({ httpStatus: 0, reason: 'NoAnswer' })
    expect(authorizations).to.deep.equal([])
    await connection.close()
  })

  function writeKubeconfig(folder: string, cluster: object = {}): string {
    const kubeconfig = join(folder, 'config')
    const ca = Buffer.from(certificate.ca).toString('base64')
    const config = {
      clusters: [{ name: 'c', cluster: { server: url, 'certificate-authority-data': ca, ...cluster } }],
      users: [{ name: 'u', user: { token: 'from-file' } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', namespace: 'team' } }],
      'current-context': 'x',
    }
    writeFileSync(kubeconfig, JSON.stringify(config))
    return kubeconfig
  }

  describe('with a kubeconfig', () => {
    let folder: string
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'rolebook-connect-'))
    })
    afterEach(() => rmSync(folder, { recursive: true }))

    it('uses it, and its namespace', async () => {
      const connection = await connect({ ...OPTIONS, kubeconfig: writeKubeconfig(folder) })
      await connection.mapper.mappingFor(POD)
      expect([connection.namespace, authorizations[0]]).to.deep.equal(['team', 'Bearer from-file'])
      await connection.close()
    })

    it('goes through the proxy that it names, and trusts its authority there too', async () => {
      const tunnels: (string | undefined)[] = []
      const proxy = createProxy().on('connect', ({ url: target }, socket: Duplex) => {
        tunnels.push(target)
        const { hostname, port } = new URL(`http://${target}`)
        const onward = dial(Number(port), hostname, () => {
          socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
          socket.pipe(onward).pipe(socket)
        })
        for (const end of [socket, onward]) end.on('error', () => undefined)
      })
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
      const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
      const connection = await connect({ ...OPTIONS, kubeconfig: writeKubeconfig(folder, { 'proxy-url': proxyUrl }) })
      expect((await connection.mapper.mappingFor(POD)).plural).to.equal('pods')
      expect(new Set(tunnels)).to.deep.equal(new Set([new URL(url).host]))
      expect(authorizations[0]).to.equal('Bearer from-file')
      await connection.close()
      proxy.close()
    })
  })
})
