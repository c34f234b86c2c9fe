import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { Sandbox } from '../sandbox.ts'

const APPLY = { 'content-type': 'application/apply-patch+yaml' }
const MERGE = { 'content-type': 'application/merge-patch+json' }
const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'b' }] } }
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' }
const KINDS: Readonly<Record<string, { readonly path: string; readonly content: JsonObject }>> = {
  ConfigMap: { path: 'api/v1/namespaces/default/configmaps', content: { data: { a: 'b' } } },
  Service: { path: 'api/v1/namespaces/default/services', content: { spec: { ports: [{ port: 80 }] } } },
  Pod: { path: 'api/v1/namespaces/default/pods', content: { spec: template.spec } },
  Deployment: {
    path: 'apis/apps/v1/namespaces/default/deployments',
    content: { spec: { selector: { matchLabels: { app: 'a' } }, template } },
  },
  HorizontalPodAutoscaler: {
    path: 'apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    content: { spec: { scaleTargetRef, maxReplicas: 1 } },
  },
}

/** As kube-apiserver does (`isResetManagedFields`), for kinds that keep empty parts in memory and for those that do not. */
describe('an empty list of managedFields', () => {
  const sandbox = new Sandbox()
  before(() => sandbox.start())
  after(() => sandbox.stop())

  for (const [kind, { path, content }] of Object.entries(KINDS)) {
    it(`forgets all managers of a ${kind}`, async () => {
      const url = `/${path}/forgotten?fieldManager=alice`
      const apiVersion = path.startsWith('api/') ? 'v1' : path.split('/').slice(1, 3).join('/')
      const object = { apiVersion, kind, metadata: { name: 'forgotten' }, ...content }
      const made = await sandbox.send('PATCH', url, { body: object, headers: APPLY })
      expect(made.status).to.equal(201)
      const body = { metadata: { managedFields: [] } }
      const patched = await sandbox.send('PATCH', url, { body, headers: MERGE })
      expect(patched.status).to.equal(200)
      expect(patched.body.metadata).to.not.have.property('managedFields')
    })
  }
})
