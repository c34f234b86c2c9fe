import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const HUGE = 9_999_999_999
const container = { name: 'c', image: 'i' }
const labels = { a: 'b' }
const template = { metadata: { labels }, spec: { containers: [container] } }
const apps = (kind: string): string => `/apis/apps/v1/namespaces/{ns}/${kind}`
const core = (kind: string): string => `/api/v1/namespaces/{ns}/${kind}`
const ADMISSION = '/apis/admissionregistration.k8s.io/v1'

const tried = (name: string, path: string, body: JsonValue): Step => ({
  name,
  method: 'POST',
  path: `${path}?dryRun=All`,
  body,
})
const metadata = { name: 'x' }
const pod = (name: string, spec: JsonObject): Step => tried(name, core('pods'), { metadata, spec })
const ofContainer = (name: string, more: JsonObject): Step => pod(name, { containers: [{ ...container, ...more }] })
const ofVolume = (name: string, source: JsonObject): Step => pod(name, { volumes: [{ name: 'v', ...source }] })
const deployment = (name: string, spec: JsonObject): Step => tried(name, apps('deployments'), { metadata, spec })

/** What is stored, and then changed by patches that do not fit. */
const WEB = `${apps('deployments')}/web`
const patched = (name: string, type: string, body: JsonValue, query = ''): Step => ({
  name,
  method: 'PATCH',
  path: `${WEB}?dryRun=All${query}`,
  headers: { 'content-type': `application/${type}` },
  body,
})

const numbers: readonly Step[] = [
  ofContainer('a port beyond int32', { ports: [{ containerPort: HUGE }] }),
  ofContainer('a negative port beyond int32', { ports: [{ containerPort: -HUGE }] }),
  ofContainer('a period beyond int32', { livenessProbe: { tcpSocket: { port: 1 }, periodSeconds: HUGE } }),
  ofContainer('a port of a probe beyond int32', { livenessProbe: { tcpSocket: { port: HUGE } } }),
  ofContainer('a port that is a fraction', { ports: [{ containerPort: 1.5 }] }),
  pod('a grace period beyond int32', { containers: [container], terminationGracePeriodSeconds: HUGE }),
  pod('a priority beyond int32', { containers: [container], priority: HUGE }),
  deployment('replicas beyond int32', { replicas: HUGE }),
  deployment('a share beyond int32', { strategy: { rollingUpdate: { maxSurge: HUGE } } }),
  tried('a target port beyond int32', core('services'), { metadata, spec: { ports: [{ port: 1, targetPort: HUGE }] } }),
  tried('pods that must be there beyond int32', '/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets', {
    metadata,
    spec: { minAvailable: HUGE },
  }),
  tried('a value of a class beyond int32', '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata, value: HUGE }),
]

const types: readonly Step[] = [
  ofContainer('a protocol that is a number', { ports: [{ containerPort: 1, protocol: 1 }] }),
  ofContainer('a pull policy that is a list', { imagePullPolicy: [] }),
  ofContainer('capabilities that are numbers', { securityContext: { capabilities: { add: [1] } } }),
  ofContainer('capabilities that are a text', { securityContext: { capabilities: { add: 'a' } } }),
  ofContainer('limits that are a text', { resources: { limits: 'a' } }),
  ofContainer('limits that are a switch', { resources: { limits: { cpu: true } } }),
  ofContainer('a probe of a text', { livenessProbe: { httpGet: 'a' } }),
  ofContainer('a path of a probe that is a number', { livenessProbe: { httpGet: { path: 1 } } }),
  ofContainer('a name of a key that is a number', {
    env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 1 } } }],
  }),
  ofVolume('a path of the node that is a number', { hostPath: { path: 1 } }),
  ofVolume('a type of a path that is a number', { hostPath: { path: 'a', type: 1 } }),
  ofVolume('an empty directory that is a text', { emptyDir: 'a' }),
  ofVolume('a medium that is a number', { emptyDir: { medium: 1 } }),
  pod('a restart policy that is a number', { restartPolicy: 1 }),
  pod('tolerations of an effect that is a number', { tolerations: [{ effect: 1 }] }),
  pod('an image of an ephemeral container that is a number', { ephemeralContainers: [{ name: 'e', image: 1 }] }),
  tried('a type of a Secret that is a number', core('secrets'), { metadata, type: 1 }),
  tried('data of a Secret that are a text', core('secrets'), { metadata, data: 'a' }),
  tried('data of a Secret that are numbers', core('secrets'), { metadata, data: { a: 1 } }),
  tried('a type of a Service that is a number', core('services'), { metadata, spec: { type: 1 } }),
  tried('families of a Service that are a text', core('services'), { metadata, spec: { ipFamilies: 'a' } }),
  tried('access modes that are a text', core('persistentvolumeclaims'), { metadata, spec: { accessModes: 'a' } }),
  tried('access modes that are numbers', core('persistentvolumeclaims'), { metadata, spec: { accessModes: [1] } }),
  tried('a path of a volume that is a number', '/api/v1/persistentvolumes', {
    metadata,
    spec: { hostPath: { path: 1 } },
  }),
  tried('taints that are numbers', '/api/v1/nodes', { metadata, spec: { taints: [{ key: 'a', effect: 1 }] } }),
  tried('an owner with a uid that is a number', core('configmaps'), {
    metadata: { ...metadata, ownerReferences: [{ uid: 1 }] },
  }),
  tried('paths of an Ingress that are a text', '/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses', {
    metadata,
    spec: { rules: [{ http: { paths: 'a' } }] },
  }),
  tried('resources of a webhook that are a text', `${ADMISSION}/validatingwebhookconfigurations`, {
    metadata,
    webhooks: [{ rules: [{ resources: 'a' }] }],
  }),
  tried('operations of a webhook that are numbers', `${ADMISSION}/validatingwebhookconfigurations`, {
    metadata,
    webhooks: [{ rules: [{ operations: [1] }] }],
  }),
  tried('versions of a policy that are a text', `${ADMISSION}/validatingadmissionpolicies`, {
    metadata,
    spec: { matchConstraints: { resourceRules: [{ apiVersions: 'a' }] } },
  }),
]

const strategic = 'strategic-merge-patch+json'
const merge = 'merge-patch+json'
const patches: readonly Step[] = [
  {
    name: 'something to patch',
    method: 'POST',
    path: apps('deployments'),
    body: { metadata: { name: 'web' }, spec: { replicas: 0, selector: { matchLabels: labels }, template } },
  },
  patched('replicas beyond int32 in a merge patch', merge, { spec: { minReadySeconds: HUGE } }),
  patched('a type in a merge patch', merge, { spec: { template: { spec: { restartPolicy: 1 } } } }),
  patched('a number for a text in a strategic patch', strategic, {
    spec: { template: { spec: { restartPolicy: 1 } } },
  }),
  patched('a list for a text in a strategic patch', strategic, { spec: { template: { spec: { restartPolicy: [] } } } }),
  patched('a map for a text in a strategic patch', strategic, { spec: { template: { spec: { dnsPolicy: {} } } } }),
  patched('a fraction for a number in a strategic patch', strategic, { spec: { minReadySeconds: 1.5 } }),
  patched('a text for a number in a strategic patch', strategic, { spec: { minReadySeconds: 'a' } }),
  patched('a text for a map in a strategic patch', strategic, { spec: { template: { spec: { nodeSelector: 'a' } } } }),
  patched('a share beyond int32 in a strategic patch', strategic, {
    spec: { strategy: { rollingUpdate: { maxSurge: HUGE } } },
  }),
]

/** No controller changes it meanwhile. */
const PODS = `${core('podtemplates')}/pods`
const changed = (name: string, type: string, spec: JsonObject, query = ''): Step => ({
  name,
  method: 'PATCH',
  path: `${PODS}?dryRun=All${query}`,
  headers: { 'content-type': `application/${type}` },
  body: { apiVersion: 'v1', kind: 'PodTemplate', template: { spec } },
})
const applied = (name: string, spec: JsonObject): Step =>
  changed(name, 'apply-patch+yaml', spec, '&fieldManager=m&force=true')
/** 2 in the lower 32 bits. */
const WRAPPED = 2 ** 32 + 2
const probe = (port: number): JsonObject => ({ containers: [{ name: 'c', livenessProbe: { tcpSocket: { port } } }] })
const wrapped: readonly Step[] = [
  { name: 'pods to patch', method: 'POST', path: core('podtemplates'), body: { metadata: { name: 'pods' }, template } },
  changed('a priority beyond int32 in a strategic patch', strategic, { priority: WRAPPED }),
  changed('a priority beyond int32 in a strategic patch, cut to less', strategic, { priority: HUGE }),
  changed('a grace period beyond int32 in a strategic patch', strategic, { terminationGracePeriodSeconds: WRAPPED }),
  changed('a port beyond int32 in a strategic patch', strategic, probe(WRAPPED)),
  changed('a priority beyond int32 in a merge patch', merge, { priority: WRAPPED }),
  applied('a priority beyond int32 in an apply', { priority: WRAPPED }),
  applied('a port beyond int32 in an apply', probe(WRAPPED)),
  applied('a type in an apply', { restartPolicy: 1 }),
]

export const steps: readonly Step[] = [...numbers, ...types, ...patches, ...wrapped]
