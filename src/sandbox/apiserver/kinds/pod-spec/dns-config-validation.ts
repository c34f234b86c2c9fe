import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { type FieldErrors, invalid, invalidFor, required } from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt, textsAt } from '../common/fields.ts'
import { checkDnsSearch, checkIP } from '../common/formats.ts'

const MOST_SERVERS = 3
const MOST_SEARCHES = 32
const LONGEST_LIST = 2048

/** `dnsConfig` of a pod: what its containers read from `resolv.conf`. */
export function validateDnsConfig(spec: JsonObject, field: string): FieldErrors {
  const isOwn = spec.dnsPolicy === 'None'
  const config = objectAt(spec, 'dnsConfig')
  if (!isJsonObject(spec.dnsConfig)) {
    return isOwn ? [required(field, 'must provide `dnsConfig` when `dnsPolicy` is None')] : []
  }
  const servers = textsAt(config, 'nameservers')
  if (isOwn && servers.length === 0) {
    return [required(`${field}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None')]
  }
  return [
    ...validateServers(servers, `${field}.nameservers`),
    ...validateSearches(textsAt(config, 'searches'), `${field}.searches`),
    ...itemsAt(config, 'options').flatMap((option, index) =>
      textAt(option, 'name') === '' ? [required(`${field}.options[${index}]`, 'must not be empty')] : [],
    ),
  ]
}

function validateServers(servers: readonly string[], field: string): FieldErrors {
  const many = `must not have more than ${MOST_SERVERS} nameservers`
  return [
    ...(servers.length > MOST_SERVERS ? [invalid(field, [...servers], many)] : []),
    ...servers.flatMap((server, index) => invalidFor(`${field}[${index}]`, server, checkIP(server))),
  ]
}

/** A dot at the end, or alone, says that a name is complete. */
function validateSearches(searches: readonly string[], field: string): FieldErrors {
  const many = `must not have more than ${MOST_SEARCHES} search paths`
  const long = `must not have more than ${LONGEST_LIST} characters (including spaces) in the search list`
  return [
    ...(searches.length > MOST_SEARCHES ? [invalid(field, [...searches], many)] : []),
    ...(searches.join(' ').length > LONGEST_LIST ? [invalid(field, [...searches], long)] : []),
    ...searches.flatMap((search, index) => {
      const name = search.replace(/\.$/, '')
      return search === '.' ? [] : invalidFor(`${field}[${index}]`, name, checkDnsSearch(name))
    }),
  ]
}
