import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { KINDS } from '../../../../src/sandbox/apiserver/workloads/common/known-kinds.ts'
import { long } from '../../../support/long-tests.ts'
import { WorkloadServer } from './workload-server.ts'

const pod = (name: string, labels: { [name: string]: string }, port = 8080, spec: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: { containers: [{ name: 'web', image: 'nginx:1', ports: [{ name: 'http', containerPort: port }] }], ...spec },
})
const service = (spec: object): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { ports: [{ port: 80, targetPort: 'http' }], ...spec },
})
const key = { namespace: 'default', name: 'web' }

interface Slice {
  readonly endpoints: readonly { targetRef: { name: string }; conditions: { ready: boolean } }[] | null
  readonly ports: readonly { port: number; appProtocol?: string }[] | null
}

describe('Services', () => {
  let server: WorkloadServer
  const slices = (): readonly Slice[] => server.api.list(KINDS.endpointSlice) as unknown as readonly Slice[]
  const names = () =>
    slices()
      .flatMap(({ endpoints }) => endpoints ?? [])
      .map(({ targetRef, conditions }) => `${targetRef.name}${conditions.ready ? '' : ' (not ready)'}`)
      .sort()

  beforeEach(() => {
    server = new WorkloadServer()
  })
  afterEach(() => server.stop())

  it('follow their selector: to other pods, to none, and back', async () => {
    server.put(pod('blue', { app: 'blue' }))
    server.put(pod('green', { app: 'green' }))
    server.put(service({ selector: { app: 'blue' } }))
    await server.rest()
    expect(names()).to.deep.equal(['blue'])
    for (const [app, expected] of [
      ['green', ['green']],
      ['red', []],
      ['blue', ['blue']],
    ] as const) {
      const live = server.api.get(KINDS.service, key)!
      server.api.update({ ...live, spec: { ...(live.spec as object), selector: { app } } } as KubeObject, 'kubectl')
      await server.rest()
      expect(names()).to.deep.equal(expected)
    }
  })

  it('lose pods that change their labels, end, or are deleted', async () => {
    for (const name of ['a', 'b', 'c']) server.put(pod(name, { app: 'web', tier: 'front' }))
    server.put(service({ selector: { app: 'web', tier: 'front' } }))
    await server.rest()
    expect(names()).to.deep.equal(['a', 'b', 'c'])
    const live = server.api.get(KINDS.pod, { namespace: 'default', name: 'a' })!
    server.api.update({ ...live, metadata: { ...live.metadata, labels: { app: 'web' } } }, 'kubectl')
    server.api.delete(KINDS.pod, { namespace: 'default', name: 'b' })
    await server.rest()
    expect(names()).to.deep.equal(['c'])
  })

  it('show pods that are not ready as such', async () => {
    server.put(pod('a', { app: 'web' }, 8080, {}))
    server.put(service({ selector: { app: 'web' } }))
    const probed = pod('slow', { app: 'web' })
    const containers = [{ name: 'web', image: 'notfound:1' }]
    server.put({ ...probed, spec: { containers } })
    await server.rest()
    expect(names()).to.deep.equal(['a', 'slow (not ready)'])
    const [subset] = server.api.get(KINDS.endpoints, key)!.subsets as unknown as Record<
      string,
      { targetRef: object }[]
    >[]
    expect([subset?.addresses?.length, subset?.notReadyAddresses?.length]).to.deep.equal([1, undefined])
  })

  it('have one slice for each set of ports that a named port stands for', async () => {
    server.put(pod('a', { app: 'web' }, 8080))
    server.put(pod('b', { app: 'web' }, 9090))
    server.put(service({ selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http', appProtocol: 'http' }] }))
    await server.rest()
    expect(
      slices()
        .map(({ ports }) => ports?.[0]?.port)
        .sort(),
    ).to.deep.equal([8080, 9090])
    expect(slices()[0]?.ports?.[0]?.appProtocol).to.equal('http')
  })

  long.it('split more than a hundred endpoints over slices', async () => {
    for (let index = 0; index < 120; index++) server.put(pod(`p${index}`, { app: 'web' }))
    server.put(service({ selector: { app: 'web' } }))
    await server.rest()
    expect(
      slices()
        .map(({ endpoints }) => endpoints?.length)
        .sort(),
    ).to.deep.equal([100, 20])
  })

  it('without selector, and external names, are left alone', async () => {
    server.put({ ...service({}), metadata: { name: 'free' } })
    server.put({
      ...service({ type: 'ExternalName', externalName: 'example.com', selector: { a: 'b' } }),
      metadata: { name: 'outside' },
    })
    await server.rest()
    expect([slices(), server.api.list(KINDS.endpoints)]).to.deep.equal([[], []])
  })

  it('take their endpoints with them', async () => {
    server.put(service({ selector: { app: 'web' } }))
    await server.rest()
    expect([slices().length, server.api.list(KINDS.endpoints).length]).to.deep.equal([1, 1])
    server.api.delete(KINDS.service, key)
    await server.rest()
    expect([slices(), server.api.list(KINDS.endpoints)]).to.deep.equal([[], []])
  })

  it('in deletion have no Endpoints any more, and leave alone those that others wrote', async () => {
    for (const name of ['web', 'free']) {
      server.put({ ...service({ selector: { app: 'web' } }), metadata: { name, finalizers: ['example.com/hold'] } })
    }
    await server.rest()
    const free = { namespace: 'default', name: 'free' }
    const foreign = server.api.get(KINDS.endpoints, free)!
    server.api.delete(KINDS.service, key)
    server.api.delete(KINDS.service, free)
    server.api.update({ ...foreign, metadata: { ...foreign.metadata, labels: {} } }, 'kubectl')
    await server.rest()
    expect(server.api.list(KINDS.endpoints).map(({ metadata }) => metadata.name)).to.deep.equal(['free'])
  })

  it('get their endpoints back when a client deletes or changes them', async () => {
    server.put(pod('a', { app: 'web' }))
    server.put(service({ selector: { app: 'web' } }))
    await server.rest()
    server.api.delete(KINDS.endpoints, key)
    const [slice] = server.api.list(KINDS.endpointSlice)
    server.api.update({ ...slice!, endpoints: null }, 'kubectl')
    await server.rest()
    expect([names(), server.api.list(KINDS.endpoints).length]).to.deep.equal([['a'], 1])
  })

  it('of type LoadBalancer get an address each, after a while', async () => {
    server.put(service({ type: 'LoadBalancer' }))
    server.put({ ...service({ type: 'LoadBalancer' }), metadata: { name: 'second' } })
    server.put({
      ...service({ type: 'LoadBalancer', loadBalancerClass: 'example.com/other' }),
      metadata: { name: 'other' },
    })
    await server.rest()
    const addresses = server.api
      .list(KINDS.service, { namespace: 'default' })
      .map(({ status }) => JSON.stringify(status))
    expect(addresses).to.include.members([
      '{"loadBalancer":{"ingress":[{"ip":"203.0.113.1","ipMode":"VIP"}]}}',
      '{"loadBalancer":{"ingress":[{"ip":"203.0.113.2","ipMode":"VIP"}]}}',
      '{"loadBalancer":{}}',
    ])
  })

  it('that need no load balancer any more get no address', async () => {
    server.put(service({ type: 'LoadBalancer' }))
    server.put(service({ type: 'ClusterIP' }))
    await server.rest()
    expect(server.api.get(KINDS.service, key)?.status).to.deep.equal({ loadBalancer: {} })
  })

  long.it('of type LoadBalancer wait for an address when all are given', async () => {
    for (let index = 0; index < 255; index++) {
      server.put({ ...service({ type: 'LoadBalancer' }), metadata: { name: `s${index}` } })
    }
    const waiting = () =>
      server.api
        .list(KINDS.service, { namespace: 'default' })
        .filter(({ spec, status }) => {
          const isBalanced = (spec as { type?: string }).type === 'LoadBalancer'
          return isBalanced && JSON.stringify(status) === '{"loadBalancer":{}}'
        })
        .map(({ metadata }) => metadata.name)
    await server.rest()
    expect(waiting()).to.deep.equal(['s254'])
    server.api.delete(KINDS.service, { namespace: 'default', name: 's7' })
    await server.rest(60_000)
    expect(waiting()).to.deep.equal([])
  })

  it('that lose their selector leave their endpoints to other writers', async () => {
    server.put(pod('a', { app: 'web' }))
    server.put(service({ selector: { app: 'web' } }))
    await server.rest()
    server.put(service({}))
    server.put(pod('b', { app: 'web' }))
    await server.rest()
    expect([names(), server.api.list(KINDS.endpoints).length]).to.deep.equal([['a'], 1])
  })

  it('need fewer slices when pods go, and keep what people note on them', async () => {
    for (const [name, port] of [
      ['a', 8080],
      ['b', 9090],
    ] as const) {
      server.put(pod(name, { app: 'web' }, port))
    }
    server.put(service({ selector: { app: 'web' } }))
    await server.rest()
    const noted = server.api.get(KINDS.endpoints, key)!
    const annotations = { ...noted.metadata.annotations, note: 'kept' }
    server.api.update({ ...noted, metadata: { ...noted.metadata, annotations } }, 'kubectl')
    server.api.delete(KINDS.pod, { namespace: 'default', name: 'b' })
    await server.rest()
    expect(slices().map(({ ports }) => ports?.[0]?.port)).to.deep.equal([8080])
    expect(server.api.get(KINDS.endpoints, key)?.metadata.annotations).to.deep.equal({ note: 'kept' })
  })

  it('name the hosts of pods that have a place below them in DNS, and of no others', async () => {
    server.put(pod('a', { app: 'web' }, 8080, { hostname: 'one', subdomain: 'web' }))
    server.put(pod('b', { app: 'web' }, 8080, { hostname: 'two', subdomain: 'other' }))
    server.put(service({ selector: { app: 'web' } }))
    await server.rest()
    const [slice] = slices() as unknown as { endpoints: { hostname?: string }[] }[]
    const [subset] = server.api.get(KINDS.endpoints, key)!.subsets as unknown as {
      addresses: { hostname?: string }[]
    }[]
    const hosts = [slice!.endpoints, subset!.addresses].map((list) => list.map(({ hostname }) => hostname))
    expect(hosts).to.deep.equal([
      ['one', undefined],
      ['one', undefined],
    ])
  })

  it('write nothing while nothing changes', async () => {
    server.put(pod('a', { app: 'web' }))
    server.put(service({ selector: { app: 'web' }, type: 'LoadBalancer' }))
    await server.rest()
    server.takeWrites()
    await server.rest(600_000)
    expect(server.takeWrites()).to.deep.equal([])
  })

  it('refuse an address or port that another Service has', () => {
    server.put(service({ clusterIP: '10.100.0.1', type: 'NodePort', ports: [{ port: 80, nodePort: 30500 }] }))
    const taken = {
      ...service({ clusterIP: '10.100.0.1', type: 'NodePort', ports: [{ port: 80, nodePort: 30500 }] }),
      metadata: { name: 'late' },
    }
    expect(() => server.put(taken)).to.throw(
      'Service "late" is invalid: [spec.clusterIPs: Invalid value: ["10.100.0.1"]: failed to allocate IP 10.100.0.1: provided IP is already allocated, spec.ports[0].nodePort: Invalid value: 30500: provided port is already allocated]',
    )
  })

  long.it('are never given the same address or node port', () => {
    for (let index = 0; index < 300; index++) {
      server.put({ ...service({ type: 'NodePort' }), metadata: { name: `s${index}` } })
    }
    const specs = server.api.list(KINDS.service, { namespace: 'default' }).map(({ spec }) => spec) as unknown as {
      clusterIP: string
      ports: { nodePort: number }[]
    }[]
    expect(new Set(specs.map(({ clusterIP }) => clusterIP)).size).to.equal(specs.length)
    expect(new Set(specs.map(({ ports }) => ports[0]?.nodePort)).size).to.equal(specs.length)
  })
})
