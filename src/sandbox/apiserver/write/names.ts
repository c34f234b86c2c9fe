/** What is wrong with a name, in the words of the real server; nothing when all is well. */
export type NameCheck = (name: string) => readonly string[]

const DNS1123_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const DNS1123_SUBDOMAIN = `${DNS1123_LABEL}(\\.${DNS1123_LABEL})*`
const DNS1035_LABEL = '[a-z]([-a-z0-9]*[a-z0-9])?'
const LABEL_KEY = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'

/** RFC 1123 subdomain: what most names are. */
export const checkSubdomain: NameCheck = (name) => [...checkLength(name, 253), ...checkSubdomainForm(name)]

/** The same, where the format is declared at the field. */
export const checkLongName: NameCheck = (name) => [...checkLength(name, 253, 'bytes'), ...checkSubdomainForm(name)]

/** RFC 1123 label: namespaces. */
export const checkLabel: NameCheck = (name) => {
  const errors = checkLength(name, 63)
  if (isLabel(name)) return errors
  if (isSubdomain(name)) return [...errors, 'must not contain dots']
  return [...errors, mismatch(LABEL_TEXT, DNS1123_LABEL, ['my-name', '123-abc'])]
}

/** RFC 1035 label: a label that starts with a letter. */
export const checkLabel1035: NameCheck = (name) => [
  ...checkLength(name, 63),
  ...(isLabel(name) && /^[a-z]/.test(name) ? [] : [mismatch(LABEL_1035_TEXT, DNS1035_LABEL, ['my-name', 'abc-123'])]),
]

/** Accepts each name that can be part of a path: for roles and their bindings. */
export const checkPathSegment: NameCheck = (name) => {
  if (name === '.' || name === '..') return [`may not be '${name}'`]
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`)
}

/** Keys of labels and annotations, and finalizers: `name` or `prefix/name`. */
export const checkLabelKey: NameCheck = (key) => {
  const parts = key.split('/')
  const [first = '', second] = parts
  if (parts.length > 2) {
    return [
      `a valid label key ${LABEL_KEY_MISMATCH} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  return second === undefined ? checkKeyName(first) : [...checkKeyPrefix(first), ...checkKeyName(second)]
}

export const checkLabelValue: NameCheck = (value) => [
  ...checkLength(value, 63, 'bytes'),
  ...(value === '' || isKeyName(value)
    ? []
    : [mismatch(LABEL_VALUE_TEXT, `(${LABEL_KEY})?`, ['MyValue', 'my_value', '12345'])]),
]

function checkKeyPrefix(prefix: string): readonly string[] {
  if (prefix === '') return ['prefix part must be non-empty']
  const errors = prefix.length > 253 ? checkLength(prefix, 253, 'bytes') : checkSubdomain(prefix)
  return errors.map((text) => `prefix part ${text}`)
}

function checkKeyName(name: string): readonly string[] {
  const lengthErrors = name === '' ? ['must be non-empty'] : checkLength(name, 63, 'bytes')
  const errors = isKeyName(name) ? lengthErrors : [...lengthErrors, LABEL_KEY_MISMATCH]
  return errors.map((text) => `name part ${text}`)
}

function checkLength(text: string, max: number, unit: 'characters' | 'bytes' = 'characters'): readonly string[] {
  return text.length > max ? [`must be no more than ${max} ${unit}`] : []
}

function checkSubdomainForm(name: string): readonly string[] {
  return isSubdomain(name) ? [] : [mismatch(SUBDOMAIN_TEXT, DNS1123_SUBDOMAIN, ['example.com'])]
}

/** The patterns that are quoted to users can take quadratic time; these checks are linear. */
function isLabel(text: string): boolean {
  return /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(text)
}

/** Labels with dots between them. */
function isSubdomain(text: string): boolean {
  return /^[-.a-z0-9]+$/.test(text) && !/^[-.]|[-.][.]|[.]-|[-.]$/.test(text)
}

function isKeyName(text: string): boolean {
  return /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(text)
}

const CHARACTERS = 'alphanumeric characters'
const SUBDOMAIN_TEXT = `a lowercase RFC 1123 subdomain must consist of lower case ${CHARACTERS}, '-' or '.', and must start and end with an alphanumeric character`
const LABEL_TEXT = `a lowercase RFC 1123 label must consist of lower case ${CHARACTERS} or '-', and must start and end with an alphanumeric character`
const LABEL_1035_TEXT = `a DNS-1035 label must consist of lower case ${CHARACTERS} or '-', start with an alphabetic character, and end with an alphanumeric character`
const LABEL_VALUE_TEXT = `a valid label must be an empty string or consist of ${CHARACTERS}, '-', '_' or '.', and must start and end with an alphanumeric character`
const LABEL_KEY_MISMATCH = mismatch(
  `must consist of ${CHARACTERS}, '-', '_' or '.', and must start and end with an alphanumeric character`,
  LABEL_KEY,
  ['MyName', 'my.name', '123-abc'],
)

function mismatch(text: string, pattern: string, examples: readonly string[]): string {
  const listed = examples.map((example) => `'${example}'`).join(',  or ')
  return `${text} (e.g. ${listed}, regex used for validation is '${pattern}')`
}
