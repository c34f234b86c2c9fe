import { expect } from 'chai'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { KIND } from './cluster-driver.ts'
import { at, conditionOf, gone, has, newObject, notReady, ready, there } from './objects.ts'
import type { Scenario } from './scenario.ts'

const maintPage = (name: string, appname = 'httpd'): KubeObject =>
  newObject(KIND.maintPage, name, {
    maintpageconfig: {
      maintpagetoggle: false,
      maintpageimage: 'quay.io/daein/maintpage:latest',
    },
    appconfig: { appname, appimage: 'quay.io/daein/prodpage:latest' },
  })

const toggle = (on: boolean) => ({
  spec: { maintpageconfig: { maintpagetoggle: on } },
})

export const maintPageScenarios: readonly Scenario[] = [
  {
    name: 'makes the pod of the maintenance page',
    async run(cluster) {
      await cluster.apply(maintPage('page'))
      await cluster.until(KIND.maintPage, 'page', ready)
      const pod = await cluster.read(KIND.pod, 'page-maintpage-pod')
      expect(at(pod, 'metadata', 'labels', 'app')).to.equal('page')
      expect(at(pod, 'spec', 'containers', 0, 'name')).to.equal('maintpage')
      expect(at(pod, 'spec', 'containers', 0, 'image')).to.equal('quay.io/daein/maintpage:latest')
      expect(at(pod, 'spec', 'containers')).to.have.length(1)
    },
  },
  {
    name: 'makes the Deployment of the application',
    async run(cluster) {
      await cluster.apply(maintPage('page'))
      await cluster.until(KIND.maintPage, 'page', ready)
      const deployment = await cluster.read(KIND.deployment, 'httpd')
      expect(at(deployment, 'spec', 'replicas')).to.equal(1)
      expect(at(deployment, 'spec', 'selector', 'matchLabels')).to.deep.equal({
        app: 'httpd',
      })
      expect(at(deployment, 'spec', 'template', 'metadata', 'labels')).to.deep.equal({ app: 'httpd' })
      expect(at(deployment, 'spec', 'template', 'spec', 'containers', 0, 'name')).to.equal('httpd')
      expect(at(deployment, 'spec', 'template', 'spec', 'containers', 0, 'image')).to.equal(
        'quay.io/daein/prodpage:latest',
      )
    },
  },
  {
    name: 'brings back the pod that was deleted by hand',
    async run(cluster) {
      await cluster.apply(maintPage('page'))
      await cluster.until(KIND.maintPage, 'page', ready)
      const before = await cluster.read(KIND.pod, 'page-maintpage-pod')
      await cluster.remove(KIND.pod, 'page-maintpage-pod')
      await cluster.until(KIND.pod, 'page-maintpage-pod', {
        what: 'is a new pod',
        holds: (pod) => pod !== undefined && pod.metadata.uid !== before?.metadata.uid,
      })
    },
  },
  {
    name: 'puts back an image that was changed by hand',
    async run(cluster) {
      await cluster.apply(maintPage('page'))
      await cluster.until(KIND.maintPage, 'page', ready)
      const image = { name: 'httpd', image: 'quay.io/somebody/else:latest' }
      await cluster.patch(KIND.deployment, 'httpd', {
        spec: { template: { spec: { containers: [image] } } },
      })
      await cluster.until(
        KIND.deployment,
        'httpd',
        has(['spec', 'template', 'spec', 'containers', 0, 'image'], 'quay.io/daein/prodpage:latest'),
      )
    },
  },
  {
    name: 'toggled twice, the Service ends where it began',
    async run(cluster) {
      await cluster.apply(maintPage('page'))
      await cluster.until(KIND.maintPage, 'page', has(['status', 'maintpublishstatus'], 'Not Published'))
      const before = await cluster.until(KIND.service, 'httpd', has(['spec', 'selector'], { app: 'httpd' }))
      expect(at(before, 'spec', 'ports', 0)).to.deep.include({
        name: '8080-tcp',
        port: 8080,
        targetPort: 8080,
        protocol: 'TCP',
      })
      await cluster.patch(KIND.maintPage, 'page', toggle(true))
      await cluster.until(KIND.service, 'httpd', has(['spec', 'selector'], { app: 'page' }))
      await cluster.until(KIND.maintPage, 'page', has(['status', 'maintpublishstatus'], 'Published'))
      await cluster.patch(KIND.maintPage, 'page', toggle(false))
      await cluster.until(KIND.maintPage, 'page', has(['status', 'maintpublishstatus'], 'Not Published'))
      const after = await cluster.read(KIND.service, 'httpd')
      expect(after?.spec).to.deep.equal(before?.spec)
    },
  },
  {
    name: 'deleted, it leaves nothing behind',
    async run(cluster) {
      await cluster.apply(maintPage('page'))
      await cluster.until(KIND.maintPage, 'page', ready)
      await cluster.remove(KIND.maintPage, 'page')
      await cluster.until(KIND.pod, 'page-maintpage-pod', gone)
      await cluster.until(KIND.deployment, 'httpd', gone)
      await cluster.until(KIND.service, 'httpd', gone)
    },
  },
  {
    name: 'refuses a second MaintPage of the same appname, and leaves the first alone',
    async run(cluster) {
      await cluster.apply(maintPage('first'))
      await cluster.until(KIND.maintPage, 'first', ready)
      const before = await cluster.read(KIND.deployment, 'httpd')
      await cluster.apply(maintPage('second'))
      const second = await cluster.until(KIND.maintPage, 'second', notReady('Conflict'))
      expect(conditionOf(second, 'Ready')?.message).to.include('first')
      expect(conditionOf(second, 'Stalled')?.reason).to.equal('NameCollision')
      const after = await cluster.read(KIND.deployment, 'httpd')
      expect(after?.metadata.generation).to.equal(before?.metadata.generation)
      expect(after?.metadata.ownerReferences).to.deep.equal(before?.metadata.ownerReferences)
    },
  },
  {
    name: 'a renamed appname removes the old Deployment and Service',
    async run(cluster) {
      await cluster.apply(maintPage('page', 'old'))
      await cluster.until(KIND.maintPage, 'page', ready)
      await cluster.patch(KIND.maintPage, 'page', {
        spec: { appconfig: { appname: 'new' } },
      })
      await cluster.until(KIND.deployment, 'new', there)
      await cluster.until(KIND.service, 'new', there)
      await cluster.until(KIND.deployment, 'old', gone)
      await cluster.until(KIND.service, 'old', gone)
    },
  },
]
