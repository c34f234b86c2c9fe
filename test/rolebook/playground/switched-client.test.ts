import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import type { WatchEvent } from '../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { SwitchedClient } from '../../../src/rolebook/playground/switched-client.ts'
import { SandboxCluster } from '../../../src/sandbox/cluster/sandbox-cluster.ts'

const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }
const KEY = { namespace: 'default', name: 'a' }

describe('a server that can be taken away', () => {
  const clock = new FakeClock()
  let cluster: SandboxCluster
  before(async () => {
    cluster = await SandboxCluster.start({ clock, clientClock: systemClock, logger: nopLogger, tls: false })
    create('a')
  })
  after(() => cluster.stop())

  const newSwitch = (): SwitchedClient => new SwitchedClient(cluster.connection.client)
  /** From now on: what is there is not sent. */
  const watchOf = async ({ client }: SwitchedClient, options = {}): Promise<AsyncIterator<WatchEvent>> => {
    const { resourceVersion } = await cluster.connection.client.list(CONFIG_MAP)
    return client.watch(CONFIG_MAP, { namespace: 'default', resourceVersion, ...options })[Symbol.asyncIterator]()
  }
  /** The next event about an object, or the end. */
  const eventOf = async (watch: AsyncIterator<WatchEvent>): Promise<string> => {
    const { done, value } = await watch.next()
    if (done) return 'the end'
    return value.type === 'BOOKMARK' ? eventOf(watch) : value.type
  }
  const create = (name: string): KubeObject =>
    cluster.objects.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...KEY, name } }, 'kubectl')
  const failureOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'none',
      ({ message }: Error) => message,
    )

  it('answers as long as it is there', async () => {
    expect((await newSwitch().client.get(CONFIG_MAP, KEY))?.metadata.name).to.equal('a')
  })

  it('answers no request while it is away, and each one when it is back', async () => {
    const server = newSwitch()
    server.connect(false)
    expect(server.isConnected).to.equal(false)
    expect(await failureOf(server.client.get(CONFIG_MAP, KEY))).to.equal('the API server is away')
    expect(await failureOf(server.client.list(CONFIG_MAP))).to.equal('the API server is away')
    expect(await failureOf((await watchOf(server)).next())).to.equal('the API server is away')
    server.connect(true)
    expect((await server.client.get(CONFIG_MAP, KEY))?.metadata.name).to.equal('a')
  })

  it('breaks a watch off when it goes', async () => {
    const server = newSwitch()
    const watch = await watchOf(server)
    const first = eventOf(watch)
    create('first')
    await first
    const next = failureOf(eventOf(watch))
    server.connect(false)
    expect(await next).to.equal('the API server is away')
  })

  it('breaks no watch off when it is there already', async () => {
    const server = newSwitch()
    const reader = new AbortController()
    const watch = await watchOf(server, { signal: reader.signal })
    const next = eventOf(watch)
    server.connect(true)
    create('second')
    expect(await next).to.equal('ADDED')
    const last = failureOf(eventOf(watch))
    reader.abort(new Error('enough'))
    expect(await last).to.equal('enough')
  })

  it('ends a watch when its time is over', async () => {
    const watch = await watchOf(newSwitch(), { timeoutSeconds: 1 })
    const first = eventOf(watch)
    create('third')
    expect(await first).to.equal('ADDED')
    const next = eventOf(watch)
    await clock.advance(1_000)
    expect(await next).to.equal('the end')
  })
})
