import { expect } from 'chai'
import { systemClock } from '../../src/base/clock.ts'
import { nopLogger } from '../../src/base/logger.ts'
import { SandboxCluster } from '../../src/cli/sandbox-cluster.ts'
import { crd, WIDGET } from '../support/operator-sandbox.ts'

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
