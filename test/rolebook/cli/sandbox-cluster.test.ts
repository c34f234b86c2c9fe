import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { loadObjects } from '../../../src/rolebook/cli/session/load-objects.ts'
import { SandboxCluster } from '../../../src/sandbox/cluster/sandbox-cluster.ts'
import { crd, GADGET, WIDGET } from '../../support/operator-sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

describe('SandboxCluster.install', () => {
  it('asks once for the kinds, and once for what becomes of all CRDs', async () => {
    const asked: string[] = []
    const cluster = await SandboxCluster.start({
      clock: systemClock,
      logger: nopLogger,
      tls: false,
      intercept: ({ phase, method, path }) => {
        if (phase === 'before') asked.push(`${method} ${path.split('?')[0]}`)
        return undefined
      },
    })
    try {
      await cluster.install(crd(WIDGET), crd(GADGET))
      for (const gvk of [WIDGET, GADGET]) expect(await cluster.connection.client.list(gvk)).to.have.property('items')
      const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
      expect(asked.filter((one) => one.includes('customresourcedefinitions') || one === 'GET /apis')).to.deep.equal([
        'GET /apis',
        `PATCH ${definitions}/widgets.example.com`,
        `PATCH ${definitions}/gadgets.example.com`,
        `GET ${definitions}`,
        'GET /apis',
      ])
      const known = asked.length
      await cluster.install(crd(WIDGET), crd(GADGET))
      expect(asked.slice(known)).to.have.length(2)
    } finally {
      await cluster.stop()
    }
  })

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

describe('objects that a sandbox begins with', () => {
  it('need not stand in an order: kinds come first, then namespaces', async () => {
    const cluster = await SandboxCluster.start({ clock: systemClock, logger: nopLogger, tls: false })
    try {
      const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'made' } }
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'made' } }
      await loadObjects(cluster, [widget, namespace, crd(WIDGET)])
      const { items } = await cluster.connection.client.list(WIDGET)
      expect(items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).to.deep.equal(['made/w'])
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
