import { type KubeObject, keyOf } from '../../../core/kube/object.ts'
import { badRequest, quote } from '../api-status.ts'
import { presentObject, type ServedResource } from '../served-resource.ts'
import { type FieldRequirement, parseFieldSelector } from './field-selector.ts'
import { compileLabelSelector } from './label-selector.ts'
import type { StoredObject } from './stored-object.ts'

/** Which objects a list or watch is about. */
export interface Selection {
  /** Absent: all. */
  readonly matches?: ((stored: StoredObject) => boolean) | undefined
  /** The only name that matches. */
  readonly name?: string | undefined
}

/**
 * From the selectors of a query.
 *
 * @throws ApiError 400
 */
export function parseSelection(resource: ServedResource, labelSelector: string, fieldSelector: string): Selection {
  const byLabels = labelSelector === '' ? undefined : compileLabelSelector(labelSelector)
  const fields = fieldSelector === '' ? [] : parseFieldSelector(fieldSelector)
  const byFields = fields.length === 0 ? undefined : compileFields(resource, fields)
  if (!byLabels && !byFields) return {}
  return {
    name: fields.find(({ field, equal }) => field === 'metadata.name' && equal)?.value,
    matches: (stored) => {
      if (byLabels && !byLabels(stored.object.metadata.labels)) return false
      return !byFields || byFields(stored.object)
    },
  }
}

type FieldReader = (object: KubeObject) => string

function compileFields(
  resource: ServedResource,
  requirements: readonly FieldRequirement[],
): (object: KubeObject) => boolean {
  const checks = requirements.map(({ field, value, equal }) => {
    const read = readerOf(resource, field)
    return (object: KubeObject) => (read(object) === value) === equal
  })
  const needsPresented = resource.convert !== undefined
  return (object) => {
    const shown = needsPresented ? presentObject(resource, object) : object
    return checks.every((check) => check(shown))
  }
}

const NAMES = '"metadata.name", "metadata.namespace"'

function readerOf(resource: ServedResource, field: string): FieldReader {
  if (field === 'metadata.name') return (object) => keyOf(object).name
  const own = resource.rules.fieldSelectors
  if (field === 'metadata.namespace' && (resource.namespaced || !own)) return (object) => keyOf(object).namespace
  const reader = own && Object.hasOwn(own, field) ? own[field] : undefined
  if (reader) return reader
  if (resource.table === 'batch/jobs') throw badRequest(`field label ${quote(field)} not supported for Job`)
  if (resource.table === 'resource.k8s.io/resourceslices') {
    throw badRequest(`field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${field}`)
  }
  throw badRequest(
    own ? `field label not supported: ${field}` : `${quote(field)} is not a known field selector: only ${NAMES}`,
  )
}
