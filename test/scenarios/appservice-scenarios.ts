import { expect } from 'chai'
import type { JsonObject } from '../../src/core/base/json.ts'
import type { Gvk } from '../../src/core/kube/group-version-kind.ts'
import { KIND } from './cluster-driver.ts'
import { at, has, newObject, ready } from './objects.ts'
import type { Scenario } from './scenario.ts'

const spec = (changes: JsonObject = {}): JsonObject => ({
  size: 2,
  image: 'nginx:1.7.9',
  resources: {},
  envs: [],
  ports: [{ port: 80, targetPort: 80 }],
  ...changes,
})

const container = ['spec', 'template', 'spec', 'containers', 0] as const

const scenariosOf = (gvk: Gvk): readonly Scenario[] => [
  {
    name: 'makes the Deployment that the spec says',
    async run(cluster) {
      const resources = { limits: { cpu: '1', memory: '512Mi' } }
      await cluster.apply(newObject(gvk, 'web', spec({ resources, envs: [{ name: 'MODE', value: 'fast' }] })))
      await cluster.until(gvk, 'web', ready)
      const deployment = await cluster.read(KIND.deployment, 'web')
      expect(at(deployment, 'spec', 'replicas')).to.equal(2)
      expect(at(deployment, 'spec', 'selector', 'matchLabels')).to.deep.equal({
        app: 'web',
      })
      expect(at(deployment, ...container)).to.deep.include({
        name: 'web',
        image: 'nginx:1.7.9',
        imagePullPolicy: 'IfNotPresent',
        resources,
        env: [{ name: 'MODE', value: 'fast' }],
        ports: [{ containerPort: 80, protocol: 'TCP' }],
      })
    },
  },
  {
    name: 'makes a Service of type NodePort with the ports that the spec says',
    async run(cluster) {
      await cluster.apply(newObject(gvk, 'web', spec()))
      await cluster.until(gvk, 'web', ready)
      const service = await cluster.read(KIND.service, 'web')
      expect(at(service, 'spec', 'type')).to.equal('NodePort')
      expect(at(service, 'spec', 'selector')).to.deep.equal({ app: 'web' })
      expect(at(service, 'spec', 'ports', 0)).to.deep.include({
        port: 80,
        targetPort: 80,
        protocol: 'TCP',
      })
      expect(at(service, 'spec', 'ports', 0, 'nodePort')).to.be.within(30000, 32767)
    },
  },
  {
    name: 'shows the status of the Deployment as its own',
    async run(cluster) {
      await cluster.apply(newObject(gvk, 'web', spec()))
      const shown = await cluster.until(gvk, 'web', has(['status', 'availableReplicas'], 2))
      expect(at(shown, 'status', 'replicas')).to.equal(2)
      expect(at(shown, 'status', 'readyReplicas')).to.equal(2)
      const types = (at(shown, 'status', 'conditions') as readonly JsonObject[]).map((one) => one.type)
      expect(types).to.include.members(['Ready', 'Available', 'Progressing'])
    },
  },
  {
    name: 'brings every edit of the spec to both children',
    async run(cluster) {
      await cluster.apply(newObject(gvk, 'web', spec()))
      await cluster.until(gvk, 'web', ready)
      const ports = [{ port: 81, targetPort: 8081 }]
      await cluster.apply(newObject(gvk, 'web', spec({ size: 3, image: 'nginx:1.8', ports })))
      await cluster.until(KIND.deployment, 'web', has(['spec', 'replicas'], 3))
      await cluster.until(KIND.deployment, 'web', has([...container, 'image'], 'nginx:1.8'))
      await cluster.until(
        KIND.deployment,
        'web',
        has([...container, 'ports'], [{ containerPort: 8081, protocol: 'TCP' }]),
      )
      await cluster.until(KIND.service, 'web', has(['spec', 'ports', 0, 'targetPort'], 8081))
    },
  },
  {
    name: 'removes an env and a port that leave the spec',
    async run(cluster) {
      const envs = [
        { name: 'ONE', value: '1' },
        { name: 'TWO', value: '2' },
      ]
      const ports = [
        { name: 'http', port: 80, targetPort: 80 },
        { name: 'https', port: 443, targetPort: 443 },
      ]
      await cluster.apply(newObject(gvk, 'web', spec({ envs, ports })))
      await cluster.until(gvk, 'web', ready)
      await cluster.apply(newObject(gvk, 'web', spec({ envs: [envs[1] ?? {}], ports: [ports[0] ?? {}] })))
      await cluster.until(KIND.deployment, 'web', has([...container, 'env'], [{ name: 'TWO', value: '2' }]))
      await cluster.until(
        KIND.deployment,
        'web',
        has([...container, 'ports'], [{ containerPort: 80, protocol: 'TCP' }]),
      )
      await cluster.until(KIND.service, 'web', {
        what: 'has one port',
        holds: (service) => (at(service, 'spec', 'ports') as readonly unknown[] | undefined)?.length === 1,
      })
      await cluster.apply(newObject(gvk, 'web', spec({ ports: [ports[0] ?? {}] })))
      await cluster.until(KIND.deployment, 'web', {
        what: 'has no env',
        holds: (deployment) => at(deployment, ...container, 'env') === undefined,
      })
    },
  },
]

export const appServiceScenarios = scenariosOf(KIND.appService)
export const webServiceScenarios = scenariosOf(KIND.webService)
