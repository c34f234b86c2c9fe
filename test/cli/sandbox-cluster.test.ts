import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect } from 'chai'
import { systemClock } from '../../src/base/clock.ts'
import { nopLogger } from '../../src/base/logger.ts'
import { SandboxCluster } from '../../src/cli/sandbox-cluster.ts'
import { crd, WIDGET } from '../support/operator-sandbox.ts'
import { temporaryFolder } from '../support/rolebook-process.ts'

describe('SandboxCluster.install', () => {
  it('says so when it cannot follow a CRD to its establishment', async () => {
    const cluster = await SandboxCluster.start({
      clock: systemClock,
      logger: nopLogger,
      tls: false,
      intercept: ({ phase, method, path }) => {
        const isWatch = phase === 'before' && method === 'GET' && path.includes('/customresourcedefinitions')
        return isWatch ? { status: 200, body: { type: 'BOOKMARK', object: { metadata: {} } } } : undefined
      },
    })
    try {
      const installed = cluster.install(crd(WIDGET)).catch(({ message }: Error) => message)
      expect(await installed).to.match(/watch of CustomResourceDefinition widgets\.example\.com ended before/)
    } finally {
      await cluster.stop()
    }
  })
})

describe('SandboxCluster.start on a folder', () => {
  const folder = temporaryFolder()
  const options = { clock: systemClock, logger: nopLogger, tls: false, data: folder.path }
  after(() => folder.remove())

  it('listens where it did before, elsewhere when that port is taken, and nowhere when one is asked for that is', async () => {
    const first = await SandboxCluster.start(options)
    await first.stop()
    const { port } = new URL(first.access.url)
    const again = await SandboxCluster.start(options)
    await again.stop()
    expect(again.access.url).to.equal(first.access.url)

    const other = createServer().listen(Number(port), '127.0.0.1')
    await once(other, 'listening')
    try {
      const refused = SandboxCluster.start({ ...options, port: (other.address() as AddressInfo).port })
      expect(await refused.catch(({ message }: Error) => message)).to.match(/EADDRINUSE/)
      const elsewhere = await SandboxCluster.start(options)
      await elsewhere.stop()
      expect(new URL(elsewhere.access.url).port).to.not.equal(port)
      expect(elsewhere.access.token).to.equal(first.access.token)
    } finally {
      other.close()
    }
  })
})
