import { isJsonObject, type JsonObject } from '../../../core/base/json.ts'
import { apiVersionOf, type Gvk, gvkOf } from '../../../core/kube/group-version-kind.ts'
import { badRequest, invalid, quote } from '../api-status.ts'
import { textOf } from '../kinds/common/fields.ts'
import { jsonTypeOf } from '../kinds/decode/go-types.ts'
import type { ResourceRegistry } from '../resource-registry.ts'
import type { ServedResource } from '../served-resource.ts'

/**
 * A body is of the kind and version of its path; what it leaves out is taken from there. Bodies of custom resources say
 * both themselves.
 *
 * @throws ApiError 400
 */
export function checkKind(resource: ServedResource, body: JsonObject, registry: ResourceRegistry): void {
  const expected = apiVersionOf(resource.gvk)
  const apiVersion = textOf(body.apiVersion)
  const kind = textOf(body.kind)
  if (apiVersion === expected && kind === resource.kind) return
  const name = isJsonObject(body.metadata) ? textOf(body.metadata.name) : ''
  if (resource.custom) checkCustom(resource, { apiVersion, kind, name })
  else checkBuiltin(resource, { apiVersion: apiVersion || expected, kind: kind || resource.kind }, registry)
}

/** What the server says of an `apiVersion` or a `kind` that is no text. */
export function wrongTypeMeta(body: JsonObject): string | undefined {
  for (const field of Object.keys(body)) {
    const value = body[field]
    if ((field !== 'apiVersion' && field !== 'kind') || value === undefined) continue
    if (value === null || typeof value === 'string') continue
    const cause = `json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field .${field} of type string`
    return `couldn't get version/kind; json parse error: ${cause}`
  }
  return undefined
}

function checkBuiltin(
  resource: ServedResource,
  found: { readonly apiVersion: string; readonly kind: string },
  registry: ResourceRegistry,
): void {
  const expected = apiVersionOf(resource.gvk)
  if (found.apiVersion === expected && found.kind === resource.kind) return
  const gvk = gvkOf(found)
  if (!isRegistered(gvk, registry)) {
    const scheme = 'in scheme "pkg/runtime/scheme.go:111"'
    throw unhandled(
      found.kind,
      gvk.version,
      resource,
      `no kind ${quote(found.kind)} is registered for version ${quote(found.apiVersion)} ${scheme}`,
    )
  }
  if (found.kind === resource.kind) throw otherVersion(found.apiVersion, expected)
  const from = `(${gvk.version}.${found.kind})`
  const to = `(${resource.group === '' ? 'core' : resource.group.split('.', 1)[0]}.${resource.kind})`
  throw unhandled(found.kind, gvk.version, resource, `converting ${from} to ${to}: unknown conversion`)
}

/** Every version has lists of its kinds, and the kinds of the API itself. */
function isRegistered(gvk: Gvk, registry: ResourceRegistry): boolean {
  const item = { ...gvk, kind: gvk.kind.replace(/List$/, '') }
  return registry.ofKind(gvk) !== undefined || registry.ofKind(item) !== undefined || COMMON_KINDS.has(gvk.kind)
}

const COMMON_KINDS = new Set([
  'Status',
  'DeleteOptions',
  'ListOptions',
  'CreateOptions',
  'PatchOptions',
  'UpdateOptions',
])

function checkCustom(
  resource: ServedResource,
  { apiVersion, kind, name }: { readonly apiVersion: string; readonly kind: string; readonly name: string },
): void {
  const expected = apiVersionOf(resource.gvk)
  if (apiVersion !== expected) throw otherVersion(apiVersion, expected)
  if (kind === '' || kind === resource.kind) return
  const message = `Invalid value: ${quote(kind)}: must be ${resource.kind}`
  throw invalid({ group: resource.group, kind }, name, [{ reason: 'FieldValueInvalid', message, field: 'kind' }])
}

function unhandled(kind: string, version: string, resource: ServedResource, cause: string): Error {
  return badRequest(`${kind} in version ${quote(version)} cannot be handled as a ${resource.kind}: ${cause}`)
}

function otherVersion(apiVersion: string, expected: string): Error {
  return badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${expected})`)
}
