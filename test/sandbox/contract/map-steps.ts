import type { JsonObject } from '../../../src/core/base/json.ts'
import type { Step } from './exchange.ts'

/** The ConfigMaps of the run: what scripts use whose subject is no kind in particular. */
export const MAPS = '/api/v1/namespaces/{ns}/configmaps'

export const MERGE = { 'content-type': 'application/merge-patch+json' }
export const METADATA = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' }
export const METADATA_LIST = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' }
export const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }

type More = Partial<Step>

export function get(name: string, path: string, more: More = {}): Step {
  return { name, method: 'GET', path, ...more }
}

/** Named `create <name>`. Fields of its metadata, and perhaps data. */
export function createMap(name: string, metadata: JsonObject = {}, data?: JsonObject): Step {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, ...(data && { data }) }
  return { name: `create ${name}`, method: 'POST', path: MAPS, body }
}

export function patch(name: string, path: string, body: JsonObject, more: More = {}): Step {
  return { name, method: 'PATCH', path, headers: MERGE, body, ...more }
}

export function remove(name: string, path: string, body?: JsonObject, more: More = {}): Step {
  return { name, method: 'DELETE', path, ...(body && { body }), ...more }
}

/** A watch in the background, for two seconds unless its query says otherwise. */
export function watch(name: string, path: string, query = '', more: More = {}): Step {
  const timeout = query.includes('timeoutSeconds') ? '' : '&timeoutSeconds=2'
  return { name, method: 'GET', path: `${path}?watch=true${timeout}${query && `&${query}`}`, background: true, ...more }
}
