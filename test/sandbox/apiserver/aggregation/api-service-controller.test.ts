import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { customResourceDefinition, Sandbox, settle } from '../sandbox.ts'

const API_SERVICE = { group: 'apiregistration.k8s.io', version: 'v1', kind: 'APIService' }
const CRD = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
const key = (name: string) => ({ namespace: '', name })

function apiService(group: string, more: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `v1.${group}` },
    spec: { group, version: 'v1', groupPriorityMinimum: 100, versionPriority: 100, ...more },
  } as KubeObject
}

const REMOTE = { insecureSkipTLSVerify: true, service: { namespace: 'default', name: 'far' } }
const service = (spec: JsonObject): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'far', namespace: 'default' },
  spec,
})
const slice = (ports: JsonObject[]): KubeObject =>
  ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'far', namespace: 'default', labels: { 'kubernetes.io/service-name': 'far' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.2.3'] }],
    ports,
  }) as KubeObject

describe('APIServices', () => {
  const sandbox = (): Sandbox['objects'] => new Sandbox({ clock: new FakeClock() }).objects
  const conditionsOf = (objects: Sandbox['objects'], group: string): readonly JsonObject[] => {
    const found = objects.get(API_SERVICE, key(`v1.${group}`))
    return (found?.status as { conditions?: JsonObject[] } | undefined)?.conditions ?? []
  }

  const inMemory = 'this API server runs in memory and reaches no Service'
  const unreached: readonly { name: string; objects: readonly KubeObject[]; reason: string; message: string }[] = [
    {
      name: 'a Service that is a name outside the cluster',
      objects: [service({ type: 'ExternalName', externalName: 'far.example.com' })],
      reason: 'FailedDiscoveryCheck',
      message: `failing or missing response from https://far.default.svc:443/apis/far.example.com/v1: ${inMemory}`,
    },
    {
      name: 'a Service with endpoints',
      objects: [service({ clusterIP: '10.96.7.7', ports: [{ port: 443 }] }), slice([{ name: '', port: 8443 }])],
      reason: 'FailedDiscoveryCheck',
      message: `failing or missing response from https://10.96.7.7:443/apis/far.example.com/v1: ${inMemory}`,
    },
    {
      name: 'a Service whose endpoints have another port',
      objects: [service({ clusterIP: '10.96.7.7', ports: [{ port: 443 }] }), slice([{ name: 'web', port: 80 }])],
      reason: 'MissingEndpoints',
      message: 'endpointslices for service/far in "default" have no addresses with port name ""',
    },
  ]
  for (const { name, objects: given, reason, message } of unreached) {
    it(`are unavailable behind ${name}`, async () => {
      const objects = sandbox()
      for (const object of given) objects.create(object, 'test')
      objects.create(apiService('far.example.com', REMOTE), 'test')
      await settle()
      const [condition] = conditionsOf(objects, 'far.example.com')
      expect(condition).to.include({ type: 'Available', status: 'False', reason, message })
    })
  }

  it('have no time of a change in a condition that was written without one, and is still the same', async () => {
    const objects = sandbox()
    const made = objects.create(apiService('far.example.com', REMOTE), 'test')
    const conditions = [{ type: 'Available', status: 'False', reason: 'Guessed', message: 'perhaps' }]
    objects.update({ ...made, status: { conditions } } as KubeObject, 'test', 'status')
    await settle()
    expect(conditionsOf(objects, 'far.example.com')).to.deep.equal([
      {
        type: 'Available',
        status: 'False',
        reason: 'ServiceNotFound',
        message: 'service/far in "default" is not present',
        lastTransitionTime: null,
      },
    ])
  })

  it('that a client made for the version of a CRD are left to that client', async () => {
    const objects = sandbox()
    objects.create(apiService('example.com', { versionPriority: 7 }), 'test')
    objects.create(customResourceDefinition('widgets', 'Widget'), 'test')
    await settle()
    const found = (): KubeObject | undefined => objects.get(API_SERVICE, key('v1.example.com'))
    expect(found()?.spec).to.include({ versionPriority: 7 })
    objects.delete(CRD, key('widgets.example.com'))
    await settle()
    expect(found()?.metadata.labels).to.equal(undefined)
    expect(found()?.spec).to.include({ versionPriority: 7 })
  })
})
