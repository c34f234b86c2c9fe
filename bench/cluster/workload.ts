/** The work that all contestants do: a widget becomes ConfigMaps, a Secret, a ServiceAccount and a status. */
import type { Gvk } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'

export const GROUP = 'bench.rolebook.dev'
export const API_VERSION = `${GROUP}/v1`
export const NAMESPACE = 'bench'
export const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }
export const SECRET = { group: '', version: 'v1', kind: 'Secret' }
export const SERVICE_ACCOUNT = { group: '', version: 'v1', kind: 'ServiceAccount' }
export const CHILDREN: readonly Gvk[] = [CONFIG_MAP, SECRET, SERVICE_ACCOUNT]

export interface Workload {
  readonly resources: number
  /** The resources are spread over them evenly. */
  readonly kinds: number
  /** Of a resource, one for each task of a role: one Secret, one ServiceAccount, all others ConfigMaps. */
  readonly objects: number
}

/** Writes of an operator that sends nothing twice, for each resource. */
export interface LeastWrites {
  readonly create: number
  /** The ServiceAccount says nothing of the spec. */
  readonly update: number
  readonly restart: number
  readonly repair: number
}

export function leastWrites({ objects }: Workload): LeastWrites {
  return { create: objects + 1, update: objects, restart: 0, repair: 1 }
}

export function widgetKind(index: number): string {
  return index === 0 ? 'Widget' : `Widget${index + 1}`
}

export function widgetGvks({ kinds }: Workload): readonly Gvk[] {
  return Array.from({ length: kinds }, (_, index) => ({ group: GROUP, version: 'v1', kind: widgetKind(index) }))
}

/** @param revision a new one is a new spec */
export function widget(workload: Workload, index: number, revision: number): KubeObject {
  const name = `w-${index}`
  const kind = widgetKind(index % workload.kinds)
  return { apiVersion: API_VERSION, kind, metadata: { name, namespace: NAMESPACE }, spec: specOf(name, revision) }
}

export function specOf(name: string, revision: number): { readonly text: string; readonly token: string } {
  return { text: `text of ${name}, revision ${revision}`, token: `token-${name}-${revision}` }
}

/** The first has the name of the widget, each other one its number. */
export function configMapNames(name: string, { objects }: Workload): readonly string[] {
  return Array.from({ length: objects - 2 }, (_, index) => (index === 0 ? name : `${name}-${index}`))
}

/** `w-7-3` → `w-7`. */
export function ownerName(child: string): string {
  return child.split('-').slice(0, 2).join('-')
}

/** Whether a child, or the widget itself, is what the spec of this revision wants. */
export function isAsWanted(object: KubeObject, revision: number): boolean {
  const { text, token } = specOf(ownerName(object.metadata.name ?? ''), revision)
  const data = object.data as Readonly<Record<string, string>> | undefined
  if (object.kind === 'ConfigMap') return data?.text === text
  if (object.kind === 'Secret') return data?.token === Buffer.from(token).toString('base64')
  if (object.kind === 'ServiceAccount') return true
  const status = object.status as { readonly text?: string; readonly observedGeneration?: number } | undefined
  return status?.text === text && status.observedGeneration === object.metadata.generation
}

export function widgetCrd(kind: string): KubeObject {
  const singular = kind.toLowerCase()
  const text = { type: 'string' }
  const integer = { type: 'integer', format: 'int64' }
  const condition = {
    type: 'object',
    required: ['type', 'status'],
    properties: {
      ...{ type: text, status: text, reason: text, message: text },
      ...{ observedGeneration: integer, lastTransitionTime: { type: 'string', format: 'date-time' } },
    },
  }
  const conditions = {
    ...{ type: 'array', items: condition },
    ...{ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] },
  }
  const spec = { type: 'object', required: ['text', 'token'], properties: { text, token: text } }
  const status = { type: 'object', properties: { text, observedGeneration: integer, conditions } }
  const schema = { openAPIV3Schema: { type: 'object', required: ['spec'], properties: { spec, status } } }
  const version = { name: 'v1', served: true, storage: true, subresources: { status: {} }, schema }
  const names = { kind, listKind: `${kind}List`, plural: `${singular}s`, singular }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${GROUP}` },
    spec: { group: GROUP, scope: 'Namespaced', names, versions: [version] },
  }
}
