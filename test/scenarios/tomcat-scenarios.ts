import { expect } from 'chai'
import type { JsonObject } from '../../src/core/base/json.ts'
import { type ClusterDriver, KIND } from './cluster-driver.ts'
import { at, conditionOf, gone, has, newObject, ready, there } from './objects.ts'
import type { Scenario } from './scenario.ts'

const NAME = 'web-tomcat'
const tomcat = (spec: JsonObject = {}) => newObject(KIND.tomcat, NAME, spec)

async function install(cluster: ClusterDriver, spec: JsonObject = { replicaCount: 1 }): Promise<void> {
  await cluster.apply(tomcat(spec))
  await cluster.until(KIND.tomcat, NAME, ready)
}

export const tomcatScenarios: readonly Scenario[] = [
  {
    name: 'installs its chart, and says what is installed',
    async run(cluster) {
      await install(cluster)
      const deployment = await cluster.read(KIND.deployment, NAME)
      expect(at(deployment, 'spec', 'replicas')).to.equal(1)
      expect(at(deployment, 'spec', 'template', 'spec', 'containers', 0, 'image')).to.equal('tomcat:11.0')
      expect(at(await cluster.read(KIND.service, NAME), 'spec', 'ports', 0, 'port')).to.equal(8080)
      const resource = await cluster.read(KIND.tomcat, NAME)
      const release = { name: NAME, chartVersion: '0.1.0', appVersion: '11.0' }
      expect(at(resource, 'status', 'deployedRelease')).to.deep.equal(release)
      expect(conditionOf(resource, 'Ready')?.reason).to.equal('Ready')
    },
  },
  {
    name: 'scales 2, 1, 3',
    async run(cluster) {
      for (const replicaCount of [2, 1, 3]) {
        await install(cluster, { replicaCount })
        await cluster.until(KIND.deployment, NAME, has(['status', 'readyReplicas'], replicaCount))
      }
    },
  },
  {
    name: 'reverts a scale of the Deployment by hand',
    async run(cluster) {
      await install(cluster, { replicaCount: 2 })
      await cluster.scale(KIND.deployment, NAME, 7)
      await cluster.until(KIND.deployment, NAME, has(['spec', 'replicas'], 2))
    },
  },
  {
    name: 'removes what its values take out of the chart',
    async run(cluster) {
      const hosts = [{ host: 'tomcat.example.com', path: '/' }]
      await cluster.apply(tomcat({ ingress: { enabled: true, hosts } }))
      await cluster.until(KIND.ingress, NAME, has(['spec', 'rules', 0, 'host'], 'tomcat.example.com'))
      await install(cluster, { ingress: { enabled: false } })
      await cluster.until(KIND.ingress, NAME, gone)
    },
  },
  {
    name: 'says in its conditions what the schema of the chart refuses',
    async run(cluster) {
      await install(cluster)
      await cluster.apply(tomcat({ ingress: { enabled: true, hosts: [] } }))
      const message = "at '/ingress/hosts': minItems: got 0, want 1"
      await cluster.until(KIND.tomcat, NAME, {
        what: `has a condition with ${message}`,
        holds: (object) => conditionOf(object, 'Stalled')?.message.includes(message) === true,
      })
      expect(at(await cluster.read(KIND.deployment, NAME), 'spec', 'replicas'), 'what runs stays').to.equal(1)
      await install(cluster)
    },
  },
  {
    name: 'goes with all that the chart has made',
    async run(cluster) {
      await install(cluster, { serviceAccount: { create: true } })
      const made = [KIND.deployment, KIND.service, KIND.serviceAccount] as const
      for (const gvk of made) await cluster.until(gvk, NAME, there)
      const pods = (await cluster.list(KIND.pod)).map(({ metadata }) => String(metadata.name))
      expect(pods).to.have.length(1)
      await cluster.remove(KIND.tomcat, NAME)
      await cluster.until(KIND.tomcat, NAME, gone)
      for (const pod of pods) await cluster.until(KIND.pod, pod, gone)
      for (const gvk of made) await cluster.until(gvk, NAME, gone)
      await cluster.until(KIND.secret, `rolebook.release.${NAME}`, gone)
    },
  },
]
