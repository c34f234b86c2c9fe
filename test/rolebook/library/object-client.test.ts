import { expect } from 'chai'
import type { ObjectChange } from '../../../src/rolebook/library/object-client.ts'
import { Sandbox } from '../../../src/rolebook/library/sandbox.ts'

const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' }
const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace' }

describe('the client of a sandbox', () => {
  let sandbox: Sandbox
  beforeEach(async () => {
    sandbox = await Sandbox.start({ envtest: true, tls: false })
  })
  afterEach(() => sandbox.stop())

  it('reads and writes objects of the whole cluster', async () => {
    const shop = await sandbox.apply({ ...NAMESPACE, metadata: { name: 'shop' } })
    expect(shop.metadata).to.not.have.property('namespace')
    expect((await sandbox.client.get({ ...NAMESPACE, metadata: { name: 'shop' } }))?.metadata.uid).to.equal(
      shop.metadata.uid,
    )
  })

  it('creates an object whose name the server generates, in the namespace `default`', async () => {
    const { metadata } = await sandbox.client.create({ ...CONFIG_MAP, metadata: { generateName: 'web-' } })
    expect(metadata.name).to.match(/^web-.{5}$/)
    expect(metadata.namespace).to.equal('default')
  })

  it('watches until its signal aborts', async () => {
    await sandbox.apply({ ...CONFIG_MAP, metadata: { name: 'first' } })
    const stop = new AbortController()
    const seen: string[] = []
    for await (const change of sandbox.client.watch(CONFIG_MAP, { namespace: 'default', signal: stop.signal })) {
      seen.push(nameOf(change))
      if (seen.length === 1) await sandbox.apply({ ...CONFIG_MAP, metadata: { name: 'second' } })
      else stop.abort()
    }
    expect(seen).to.deep.equal(['ADDED first', 'ADDED second'])
  })

  it('watches nothing when its signal has aborted before', async () => {
    const seen: string[] = []
    for await (const change of sandbox.client.watch(NAMESPACE, { signal: AbortSignal.abort() }))
      seen.push(nameOf(change))
    expect(seen).to.include('ADDED default')
  })

  it('goes on where a watch has ended', async () => {
    sandbox.faults.replace({ seed: 1, rules: [{ when: { verbs: ['watch'] }, do: { watch: { closeAfter: 1 } } }] })
    await sandbox.apply({ ...CONFIG_MAP, metadata: { name: 'm0' } })
    const seen: string[] = []
    for await (const change of sandbox.client.watch(CONFIG_MAP)) {
      seen.push(nameOf(change))
      if (seen.length === 3) break
      await sandbox.apply({ ...CONFIG_MAP, metadata: { name: `m${seen.length}` } })
    }
    expect(seen).to.deep.equal(['ADDED m0', 'ADDED m1', 'ADDED m2'])
  })

  it('says that a watch has ended when the server has forgotten the changes', async () => {
    sandbox.faults.replace({ seed: 1, rules: [{ when: { verbs: ['watch'] }, do: { watch: { expireAfter: 1 } } }] })
    await sandbox.apply({ ...CONFIG_MAP, metadata: { name: 'web' } })
    const error = await (async () => {
      for await (const { object } of sandbox.client.watch(CONFIG_MAP))
        await sandbox.client.delete({ ...CONFIG_MAP, ...object })
    })().catch((thrown) => thrown)
    expect(error).to.have.property('code', 'WatchEnded')
    expect(error.message).to.match(/^cannot watch ConfigMap: /)
  })
})

function nameOf({ type, object }: ObjectChange): string {
  return `${type} ${object.metadata.name}`
}
