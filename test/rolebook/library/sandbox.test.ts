import { expect } from 'chai'
import { Sandbox } from '../../../src/rolebook/library/sandbox.ts'

const kind = (name: string) => ({ apiVersion: 'v1', kind: name })

describe('Sandbox.start', () => {
  const starts = [
    { name: 'is a cluster', options: {}, address: '10.96.0.1', hasNode: true },
    { name: 'is an API server alone with envtest', options: { envtest: true }, address: '10.0.0.1', hasNode: false },
    {
      name: 'gives Services the range that it was given',
      options: { envtest: true, serviceClusterIpRange: '10.7.0.0/16' },
      address: '10.7.0.1',
      hasNode: false,
    },
  ]
  for (const { name, options, address, hasNode } of starts) {
    it(name, async () => {
      await using sandbox = await Sandbox.start(options)
      const [service] = await sandbox.client.list(kind('Service'))
      expect(service).to.have.nested.property('spec.clusterIP', address)
      expect(await sandbox.client.list(kind('Node'))).to.have.length(hasNode ? 1 : 0)
      const accounts = await sandbox.client.list(kind('ServiceAccount'))
      expect(accounts.length > 0).to.equal(hasNode)
    })
  }

  it('has a clock that only moves by hand when it was started so', async () => {
    await using sandbox = await Sandbox.start({ envtest: true })
    const refused = await sandbox.clock.advance(1).catch(({ message }: Error) => message)
    expect(refused).to.equal("cannot advance the clock of the sandbox: start it with clock: 'manual'")
  })

  it('refuses a range of Services that is none', async () => {
    const refused = await Sandbox.start({ serviceClusterIpRange: 'fd00::/108' }).catch(({ message }: Error) => message)
    expect(refused).to.include('cannot give Services addresses of fd00::/108')
  })
})
