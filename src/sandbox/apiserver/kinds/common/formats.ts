/** What keys, ports and addresses must look like; names are the matter of `write/names.ts`. Each check returns complaints in the words of the server, none if fine. */
type Complaints = readonly string[]

const CONFIG_KEY = '[-._a-zA-Z0-9]+'
const CONFIG_KEY_TEXT = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"

/** The sentence of a mismatch, with examples and the pattern, spaces as the server has them. */
function regexError(text: string, pattern: string, ...examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}'`).join(',  or ')
  return `${text} (e.g. ${shown}, regex used for validation is '${pattern}')`
}

function tooLong(value: string, limit: number): Complaints {
  return value.length > limit ? [`must be no more than ${limit} characters`] : []
}

/** Keys of ConfigMaps and Secrets. */
export function checkConfigKey(value: string): Complaints {
  const complaints: string[] = [...tooLong(value, 253)]
  if (!/^[-._a-zA-Z0-9]+$/.test(value))
    complaints.push(regexError(CONFIG_KEY_TEXT, CONFIG_KEY, 'key.name', 'KEY_NAME', 'key-name'))
  if (value === '.') complaints.push("must not be '.'")
  if (value === '..') complaints.push("must not be '..'")
  else if (value.startsWith('..')) complaints.push("must not start with '..'")
  return complaints
}

/** Names of ports, as IANA has them. */
export function checkPortName(value: string): Complaints {
  const complaints: string[] = []
  if (value.length > 15) complaints.push('must be no more than 15 characters')
  if (!/^[-a-z0-9]+$/.test(value))
    complaints.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  if (!/[a-z]/.test(value)) complaints.push('must contain at least one letter (a-z)')
  if (value.includes('--')) complaints.push('must not contain consecutive hyphens')
  if (value.startsWith('-') || value.endsWith('-')) complaints.push('must not begin or end with a hyphen')
  return complaints
}

export function checkEnvironmentName(value: string): Complaints {
  if (/^[ -<>-~]+$/.test(value)) return []
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"]
}

const DNS_SEARCH_LABEL = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const DNS_SEARCH = `${DNS_SEARCH_LABEL}(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*`

/** Domains that are searched; names of services may begin with an underscore. */
export function checkDnsSearch(value: string): Complaints {
  const label = new RegExp(`^${DNS_SEARCH_LABEL}$`)
  const text =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character"
  const isFine = value.split('.').every((part) => label.test(part))
  return [...tooLong(value, 253), ...(isFine ? [] : [regexError(text, DNS_SEARCH, 'example.com')])]
}

export function checkPercent(value: string): Complaints {
  if (/^[0-9]+%$/.test(value)) return []
  const text = "a valid percent string must be a numeric string followed by an ending '%'"
  return [regexError(text, '[0-9]+%', '1%', '93%')]
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

export function isIPv4(value: string): boolean {
  return IPV4.test(value)
}

export function isIPv6(value: string): boolean {
  if (!/^[0-9a-fA-F:.]{2,45}$/.test(value) || !value.includes(':')) return false
  const [head = '', tail, more] = value.split('::')
  if (more !== undefined) return false
  const groups = [head, tail ?? ''].flatMap((part) => (part === '' ? [] : part.split(':')))
  const last = groups.at(-1) ?? ''
  const embedded = isIPv4(last)
  const size = groups.length + (embedded ? 1 : 0)
  const words = embedded ? groups.slice(0, -1) : groups
  return words.every((word) => /^[0-9a-fA-F]{1,4}$/.test(word)) && (tail === undefined ? size === 8 : size <= 7)
}

export function checkIP(value: string): Complaints {
  if (isIPv6(value)) return isMapped(value) ? ['must not be an IPv4-mapped IPv6 address'] : []
  if (isIPv4(value)) return []
  if (isIPv4(value.replace(/(^|\.)0+(?=\d)/g, '$1'))) return ['must not have leading 0s']
  return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']
}

/** An IPv4 address as it stands in IPv6. */
function isMapped(address: string): boolean {
  return /^[0:]+:ffff:(?:[^:]*\.[^:]*|[^:]+:[^:]+)$/i.test(address)
}

/** Addresses that lead nowhere but to the machine or the link itself. */
export function checkEndpointIP(value: string): Complaints {
  if (!isIPv4(value) && !isIPv6(value)) return ['must be a valid IP address']
  return SPECIAL_ADDRESSES.flatMap(([range, text]) => (range.test(value) ? [text] : []))
}

const SPECIAL_ADDRESSES: readonly (readonly [range: RegExp, text: string])[] = [
  [/^0\.0\.0\.0$/, 'may not be unspecified (0.0.0.0)'],
  [/^::$/, 'may not be unspecified (::)'],
  [/^127\.|^::1$/, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [/^169\.254\.|^fe[89ab][0-9a-f]:/i, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  [/^224\.0\.0\.|^ff02:/i, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
]
