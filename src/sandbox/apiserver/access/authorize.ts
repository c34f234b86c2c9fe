import { forbidden, quote, statusError } from '../api-status.ts'
import type { Attributes } from './attributes.ts'
import type { Authorizer } from './authorizer.ts'
import type { User } from './user.ts'

/** @throws ApiError 403 */
export function authorize(authorizer: Authorizer, user: User, attributes: Attributes): void {
  const { allowed, reason } = authorizer.decide(user, attributes)
  if (!allowed) throw refusal(user, attributes, reason)
}

function refusal(user: User, attributes: Attributes, reason: string): Error {
  const because = reason === '' ? '' : `: ${reason}`
  const text = withoutHtml(describe(user, attributes)) + because
  const { resource } = attributes
  if (!resource) return statusError(403, 'Forbidden', `forbidden: ${text}`, { details: {} })
  return forbidden(resource, resource.name, text)
}

function describe(user: User, { verb, path, resource }: Attributes): string {
  const who = `User ${quote(user.name)} cannot ${verb}`
  if (!resource) return `${who} path ${quote(path)}`
  const { group, plural, namespace, subresource } = resource
  const what = subresource === '' ? plural : `${plural}/${subresource}`
  const where = namespace ? `in the namespace ${quote(namespace)}` : 'at the cluster scope'
  return `${who} resource ${quote(what)} in API group ${quote(group)} ${where}`
}

/** Nothing that a browser might take for HTML. */
function withoutHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
