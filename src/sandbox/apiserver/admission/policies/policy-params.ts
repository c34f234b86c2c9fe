import { isJsonObject, type JsonObject, type JsonValue } from '../../../../core/base/json.ts'
import { gvkOf } from '../../../../core/kube/group-version-kind.ts'
import { compileLabelSelector, type LabelSelector } from '../../../../core/kube/label-selector.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import type { ServedResource } from '../../served-resource.ts'
import type { AdmissionAttributes } from '../attributes.ts'

/** A policy or binding that cannot be followed as it stands. */
export class ConfigurationError extends Error {}

/** The resource of the `paramKind` of a policy. @throws ConfigurationError */
export function paramResource(
  { state }: AdmissionAttributes,
  paramKind: JsonValue | undefined,
): ServedResource | undefined {
  if (!isJsonObject(paramKind)) return undefined
  const gvk = gvkOf({ apiVersion: String(paramKind.apiVersion), kind: String(paramKind.kind) })
  const found = state.registry.ofKind(gvk)
  if (found) return found
  const shown = `${gvk.group}/${gvk.version}, Kind=${gvk.kind}`
  throw new ConfigurationError(`failed to find resource referenced by paramKind: '${shown}'`)
}

/**
 * The objects that a binding hands to its policy, one evaluation each; `undefined` stands for none.
 *
 * @throws ConfigurationError
 */
export function collectParams(
  attributes: AdmissionAttributes,
  resource: ServedResource | undefined,
  ref: JsonValue | undefined,
): readonly (KubeObject | undefined)[] {
  if (!resource || !isJsonObject(ref)) return [undefined]
  const found = findParams(attributes, resource, ref)
  if (found.length > 0 || ref.parameterNotFoundAction !== 'Deny') return found
  throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction')
}

function findParams(attributes: AdmissionAttributes, resource: ServedResource, ref: JsonObject): readonly KubeObject[] {
  const namespace = namespaceOf(attributes, resource, ref)
  const { objects } = attributes.state
  if (typeof ref.name === 'string' && ref.name !== '') {
    const found = objects.get(resource.gvk, { namespace, name: ref.name })
    return found ? [found] : []
  }
  if (!isJsonObject(ref.selector)) throw new ConfigurationError('one of name or selector must be provided')
  const labels = compileLabelSelector(ref.selector as LabelSelector)
  return objects.list(resource.gvk, { labels, ...(namespace !== '' && { namespace }) })
}

function namespaceOf({ namespace }: AdmissionAttributes, resource: ServedResource, ref: JsonObject): string {
  const given = typeof ref.namespace === 'string' ? ref.namespace : ''
  if (!resource.namespaced) {
    if (given === '') return ''
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`')
  }
  if (given !== '' || namespace !== '') return given || namespace
  throw new ConfigurationError('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources')
}
