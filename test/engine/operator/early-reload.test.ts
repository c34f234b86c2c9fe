import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import type { ResourceMapper } from '../../../src/core/kube/resource-mapper.ts'
import { clientWith } from '../../support/client-with.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../support/operator-sandbox.ts'

const role = (data: string): string =>
  `tasks:\n  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${metadata.name}"}, data: {a: "${data}"}}\n`

describe('resources that were there before the operator', () => {
  let sandbox: OperatorSandbox
  let listing: PromiseWithResolvers<void>
  let client: KubeClient
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    listing = Promise.withResolvers()
    client = withLateLists(sandbox.client, listing.promise)
    await sandbox.widget('w')
  })
  afterEach(async () => {
    listing.resolve()
    await sandbox.stop()
  })

  const shows = async (wanted: string): Promise<void> => {
    const data = await sandbox.until(
      async () => (await sandbox.get(CONFIG_MAP, 'w'))?.data,
      (seen) => seen !== undefined,
    )
    expect(data).to.deep.equal({ a: wanted })
  }

  it('run with a role that was loaded anew before they could be listed', async () => {
    const operator = sandbox.run(await projectOf({ widget: role('one') }), { client })
    operator.replaceProject(await projectOf({ widget: role('two') }))
    operator.replaceProject(await projectOf({ widget: role('three') }))
    listing.resolve()
    await shows('three')
  })

  it('run when it is learnt that their kind is namespaced before they could be listed', async () => {
    const clock = new FakeClock()
    let isAway = true
    const mapper = mapperThat(sandbox, async () => {
      if (isAway) throw new Error('the server is away')
    })
    sandbox.run(await projectOf({ widget: role('one') }), { client, mapper, clock, watchNamespaces: ['default'] })
    await clock.settle()
    isAway = false
    await clock.advance(5_000)
    listing.resolve()
    await shows('one')
  })

  it('are not at rest before it is known where they are to be watched', async () => {
    const answer = Promise.withResolvers<void>()
    const mapper = mapperThat(sandbox, () => answer.promise)
    const operator = sandbox.run(await projectOf({ widget: role('one') }), { mapper, watchNamespaces: ['default'] })
    const written = operator.idle().then(() => [...sandbox.writes])
    // A turn of the event loop for each look that idle() takes, and more.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    answer.resolve()
    expect(await written).to.deep.equal(['apply ConfigMap default/w', 'patch Widget/status default/w'])
  })
})

/** What is known of kinds, each time after `before`. */
function mapperThat({ cluster }: OperatorSandbox, before: () => Promise<void>): ResourceMapper {
  const { mapper } = cluster.connection
  return {
    async mappingFor(gvk) {
      await before()
      return mapper.mappingFor(gvk)
    },
    preferred: (kind) => mapper.preferred(kind),
    refresh: () => mapper.refresh(),
  }
}

/** A client that lists Widgets, and watches them, when `listed` resolves. */
function withLateLists(client: KubeClient, listed: Promise<void>): KubeClient {
  return clientWith(client, {
    async list(...given) {
      if (given[0].kind === WIDGET.kind) await listed
      return client.list(...given)
    },
    async *watch(...given) {
      if (given[0].kind === WIDGET.kind) await listed
      yield* client.watch(...given)
    },
  })
}
