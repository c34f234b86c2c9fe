import { compareText } from './go-json.ts'

type Check = (text: string) => boolean

/** The formats of texts that CRD schemas may ask for, by name without dashes. Others are ignored, as by the server. */
const FORMATS: { readonly [name: string]: Check } = {
  bsonobjectid: matches(/^[0-9a-fA-F]{24}$/),
  uri: isRequestUri,
  email: matches(/^(?:.*<)?\s*(?:"[^"]*"|[^\s@<>()[\]\\,;:"]+)@[^\s@<>()\\,;:"]+\s*>?$/),
  hostname: isHostname,
  ipv4: isIpV4,
  ipv6: isIpV6,
  cidr: isCidr,
  mac: matches(
    /^(?:[0-9a-fA-F]{2}([:-])(?:[0-9a-fA-F]{2}\1){4,6}[0-9a-fA-F]{2}|(?:[0-9a-fA-F]{4}\.){2,3}[0-9a-fA-F]{4})$/,
  ),
  uuid: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid3: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: matches(
    /^rgb\(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*\)$/,
  ),
  byte: matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text),
  k8slongname: (text) =>
    text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text),
}

/** Whether a text has a format; also for unknown formats. */
export function hasFormat(text: string, format: string): boolean {
  const name = format.replaceAll('-', '')
  const check = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined
  return check === undefined || check(text)
}

export function isKnownFormat(format: string): boolean {
  return format !== '' && Object.hasOwn(FORMATS, format.replaceAll('-', ''))
}

function matches(pattern: RegExp): Check {
  return (text) => pattern.test(text)
}

/** As Go's `url.ParseRequestURI`: an absolute path, or a scheme with something behind it. */
function isRequestUri(text: string): boolean {
  if ([...text].some((one) => one <= ' ' || one === '\u007f') || /%(?![0-9a-fA-F]{2})/.test(text)) return false
  return text.startsWith('/') || /^[a-zA-Z][a-zA-Z0-9+.-]*:.+$/.test(text)
}

function isHostname(text: string): boolean {
  const pattern =
    /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u
  return text.length <= 255 && text.split('.').every((label) => label.length <= 63) && pattern.test(text)
}

function isIpV4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
}

function isIpV6(text: string): boolean {
  const halves = text.split('::')
  if (!text.includes(':') || halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1) ?? ''
  const hasV4 = last.includes('.')
  const hex = hasV4 ? groups.slice(0, -1) : groups
  if ((hasV4 && !isIpV4(last)) || !hex.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false
  const size = hex.length + (hasV4 ? 2 : 0)
  return halves.length === 2 ? size < 8 : size === 8
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/')
  if (more.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(bits)) return false
  return (isIpV4(address) && Number(bits) <= 32) || (isIpV6(address) && Number(bits) <= 128)
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '')
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false
  const sum = [...digits].reduce(
    (total, digit, index) => total + (10 - index) * (digit === 'X' ? 10 : Number(digit)),
    0,
  )
  return sum % 11 === 0
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '')
  if (!/^[0-9]{13}$/.test(digits)) return false
  const sum = [...digits].reduce((total, digit, index) => total + (index % 2 === 0 ? 1 : 3) * Number(digit), 0)
  return sum % 10 === 0
}

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '')
  const pattern =
    /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/
  return pattern.test(digits) && luhn(digits) % 10 === 0
}

function luhn(digits: string): number {
  return [...digits].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2
    return total + (value > 9 ? value - 9 : value)
  }, 0)
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (match === null) return false
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  const date = new Date(Date.UTC(2000, month - 1, day))
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t')
  if (text.length < 4 || time === undefined || !isDate(date)) return false
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/.exec(time)
  if (match === null) return false
  const [, hour = '', minute = '', second = ''] = match
  return compareText(hour, '23') <= 0 && compareText(minute, '59') <= 0 && compareText(second, '59') <= 0
}

const EXACT_UNITS = new Set(['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk'])
const UNIT_PREFIXES = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week']

/** As Go's `time.ParseDuration`, or anything with a number and a unit of time in it. */
function isDuration(text: string): boolean {
  if (/^[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true
  return [...text.matchAll(/\d\s*([A-Za-zµ]+)/g)].some(([, unit = '']) => {
    const name = unit.toLowerCase()
    return EXACT_UNITS.has(name) || UNIT_PREFIXES.some((prefix) => name.startsWith(prefix))
  })
}
