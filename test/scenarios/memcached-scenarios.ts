import { expect } from 'chai'
import type { JsonObject } from '../../src/core/base/json.ts'
import type { Gvk } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { type ClusterDriver, KIND } from './cluster-driver.ts'
import { at, has, newObject, ready } from './objects.ts'
import type { Scenario } from './scenario.ts'
import { settledPods } from './settled-pods.ts'

const container = ['spec', 'template', 'spec', 'containers', 0] as const

/** Waits until `status.nodes` has so many names, and they are those of the pods, in order. */
async function untilNodes(cluster: ClusterDriver, gvk: Gvk, count: number): Promise<void> {
  await cluster.until(KIND.deployment, 'cache', has(['spec', 'replicas'], count))
  await settledPods(cluster, count, {
    labels: 'app=memcached,memcached_cr=cache',
    holds: async (names) => JSON.stringify(nodesOf(await cluster.read(gvk, 'cache'))) === JSON.stringify(names),
  })
}

const nodesOf = (object: KubeObject | undefined) => (at(object, 'status', 'nodes') ?? []) as readonly string[]

const scenariosOf = (gvk: Gvk): readonly Scenario[] => [
  {
    name: 'makes the Deployment that the spec says',
    async run(cluster) {
      await cluster.apply(newObject(gvk, 'cache', { size: 3 }))
      await cluster.until(gvk, 'cache', ready)
      const deployment = await cluster.read(KIND.deployment, 'cache')
      const labels = { app: 'memcached', memcached_cr: 'cache' }
      expect(at(deployment, 'spec', 'replicas')).to.equal(3)
      expect(at(deployment, 'spec', 'selector', 'matchLabels')).to.deep.equal(labels)
      expect(at(deployment, 'spec', 'template', 'metadata', 'labels')).to.deep.equal(labels)
      expect(at(deployment, ...container)).to.deep.include({
        name: 'memcached',
        image: 'memcached:1.4.36-alpine',
        command: ['memcached', '-m=64', '-o', 'modern', '-v'],
        ports: [{ containerPort: 11211, name: 'memcached', protocol: 'TCP' }],
      })
    },
  },
  {
    name: 'scales 3, 5, 1, 0, and its status follows',
    async run(cluster) {
      for (const size of [3, 5, 1, 0]) {
        await cluster.apply(newObject(gvk, 'cache', { size }))
        await untilNodes(cluster, gvk, size)
      }
    },
  },
  {
    name: 'reverts a scale of the Deployment by hand',
    async run(cluster) {
      await cluster.apply(newObject(gvk, 'cache', { size: 2 }))
      await cluster.until(gvk, 'cache', ready)
      await cluster.scale(KIND.deployment, 'cache', 7)
      await cluster.until(KIND.deployment, 'cache', has(['spec', 'replicas'], 2))
      await untilNodes(cluster, gvk, 2)
    },
  },
  {
    name: 'refuses a size below zero',
    async run(cluster) {
      let refused: unknown
      await cluster.apply(newObject(gvk, 'cache', { size: -1 } satisfies JsonObject)).catch((error: unknown) => {
        refused = error
      })
      expect(String(refused)).to.include('spec.size')
    },
  },
]

export const memcachedScenarios = scenariosOf(KIND.memcached)
export const memcachedAlphaScenarios = scenariosOf(KIND.memcachedAlpha)
