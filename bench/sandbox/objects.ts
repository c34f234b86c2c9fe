import type { JsonObject } from '../../src/core/base/json.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'

/** What every object has in common, to be 3 KB as it is stored. */
const TEXT = 'x'.repeat(64)

/** A ConfigMap of about 3 KB. */
export function configMap(name: string, version = 0): KubeObject {
  const data = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`key-${n}`, `${TEXT}${n}`]))
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: meta(name), data: { ...data, version: String(version) } }
}

/** A Deployment of about 3 KB, with what operators write: probes, resources, environment. */
export function deployment(name: string, version = 0): KubeObject {
  const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'bench' }
  const env = Array.from({ length: 12 }, (_, n) => ({ name: `SETTING_${n}`, value: `${TEXT}-${n}` }))
  const probe = (path: string): JsonObject => ({ httpGet: { path, port: 8080 }, periodSeconds: 10 })
  const container = {
    name: 'main',
    image: 'example.com/app:1.2.3',
    ports: [{ containerPort: 8080, name: 'http' }],
    env: [...env, { name: 'VERSION', value: String(version) }],
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    livenessProbe: probe('/live'),
    readinessProbe: probe('/ready'),
  }
  const template = { metadata: { labels }, spec: { containers: [container] } }
  const spec = { replicas: 2, selector: { matchLabels: labels }, template }
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { ...meta(name), labels }, spec }
}

/** A custom resource of about 3 KB; `CRD` is its definition. */
export function widget(name: string, version = 0): KubeObject {
  const items = Array.from({ length: 25 }, (_, n) => ({ name: `item-${n}`, text: TEXT, count: n }))
  return { apiVersion: 'bench.example.com/v1', kind: 'Widget', metadata: meta(name), spec: { items, version } }
}

const ITEM = { name: { type: 'string' }, text: { type: 'string', maxLength: 100 }, count: { type: 'integer' } }
const ITEMS = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: { type: 'object', required: ['name'], properties: ITEM },
}

export const CRD: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.bench.example.com' },
  spec: {
    group: 'bench.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { items: ITEMS, version: { type: 'integer' } } } },
          },
        },
      },
    ],
  },
}

function meta(name: string): KubeObject['metadata'] {
  return { name, namespace: 'default', annotations: { 'example.com/origin': TEXT } }
}

export const KINDS = {
  ConfigMap: { make: configMap, path: '/api/v1/namespaces/default/configmaps' },
  Deployment: { make: deployment, path: '/apis/apps/v1/namespaces/default/deployments' },
  'custom resource': { make: widget, path: '/apis/bench.example.com/v1/namespaces/default/widgets' },
} as const

export type KindName = keyof typeof KINDS
