import type { JsonObject } from '../../base/json.ts'
import { apiVersionOf } from '../../kube/group-version-kind.ts'
import { badRequest, quote } from '../api-status.ts'
import type { ServedResource } from '../served-resource.ts'

/**
 * A body is of the kind and version of its path; what it leaves out is taken from there.
 *
 * @throws ApiError 400
 */
export function checkKind(resource: ServedResource, body: JsonObject): void {
  const expected = apiVersionOf(resource.gvk)
  const { apiVersion = expected, kind = resource.kind } = body
  if (apiVersion === '' && kind === '') return
  if (apiVersion !== expected) throw otherVersion(String(apiVersion), expected)
  if (kind === resource.kind) return
  const version = quote(resource.version)
  const cause = `no kind ${quote(String(kind))} is registered for version ${quote(expected)} in scheme`
  throw badRequest(`${kind} in version ${version} cannot be handled as a ${resource.kind}: ${cause}`)
}

function otherVersion(apiVersion: string, expected: string): Error {
  return badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${expected})`)
}
