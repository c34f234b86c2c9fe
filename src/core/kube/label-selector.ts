import { CodedError } from '../base/coded-error.ts'

/** Which objects are meant, by their labels. Everything in it must hold; an empty one selects all. */
export type LabelSelector = {
  readonly matchLabels?: { readonly [key: string]: string } | undefined
  readonly matchExpressions?: readonly LabelRequirement[] | undefined
}

export type LabelRequirement = {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
  /** For `In` and `NotIn`: at least one. */
  readonly values?: readonly string[] | undefined
}

export type Labels = { readonly [key: string]: string }

/**
 * From the form of kubectl and of query strings: `app=web,tier!=db,env in (dev,test),!legacy`.
 *
 * @throws CodedError `InvalidLabelSelector`
 */
export function parseLabelSelector(text: string): LabelSelector {
  if (text.trim() === '') return {}
  const matchExpressions = splitRequirements(text).map((part) => parseRequirement(part, text))
  return { matchExpressions }
}

/**
 * To the form of query strings. Selectors that differ only in order or notation print the same, so the text is a key.
 * Keys and values are checked, because what users wrote must not smuggle in a requirement.
 *
 * @throws CodedError `InvalidLabelSelector`
 */
export function printLabelSelector(selector: LabelSelector): string {
  const parts = requirementsOf(selector).map(printRequirement)
  return [...new Set(parts)].sort().join(',')
}

export function matchesLabels(selector: LabelSelector, labels: Labels | undefined): boolean {
  return compileLabelSelector(selector)(labels)
}

/** `matchesLabels` prepared for many objects. */
export function compileLabelSelector(selector: LabelSelector): (labels: Labels | undefined) => boolean {
  const checks = requirementsOf(selector).map(compileRequirement)
  return (labels = {}) => checks.every((check) => check(labels))
}

function compileRequirement({ key, operator, values = [] }: LabelRequirement): (labels: Labels) => boolean {
  const wanted = new Set(values)
  const labelOf = (labels: Labels): string | undefined => (Object.hasOwn(labels, key) ? labels[key] : undefined)
  if (operator === 'Exists') return (labels) => labelOf(labels) !== undefined
  if (operator === 'DoesNotExist') return (labels) => labelOf(labels) === undefined
  const holds = operator === 'In'
  return (labels) => {
    const value = labelOf(labels)
    return (value !== undefined && wanted.has(value)) === holds
  }
}

function requirementsOf({ matchLabels = {}, matchExpressions = [] }: LabelSelector): readonly LabelRequirement[] {
  const equalities = Object.entries(matchLabels).map(
    ([key, value]): LabelRequirement => ({
      key,
      operator: 'In',
      values: [value],
    }),
  )
  return [...equalities, ...matchExpressions]
}

function printRequirement({ key, operator, values = [] }: LabelRequirement): string {
  checkKey(key)
  if (operator === 'Exists') return key
  if (operator === 'DoesNotExist') return `!${key}`
  if (values.length === 0) throw invalid(`"${operator}" of label "${key}" has no values`)
  for (const value of values) checkValue(key, value)
  const [only] = values
  if (values.length === 1) return `${key}${operator === 'In' ? '=' : '!='}${only}`
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${[...new Set(values)].sort().join(',')})`
}

/** Splits at the commas that stand outside parentheses. */
function splitRequirements(text: string): string[] {
  return text.split(/,(?![^()]*\))/)
}

const SET = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/
const EQUALITY = /^([^\s=!]+)\s*(==|=|!=)\s*(\S*)$/
const PRESENCE = /^(!?)\s*([^\s=!()]+)$/

function parseRequirement(part: string, whole: string): LabelRequirement {
  const text = part.trim()
  const requirement = parseSet(text) ?? parseEquality(text) ?? parsePresence(text)
  if (!requirement) throw invalid(`"${text}" in "${whole}" is not a requirement`)
  checkKey(requirement.key)
  for (const value of requirement.values ?? []) checkValue(requirement.key, value)
  return requirement
}

function parseSet(text: string): LabelRequirement | undefined {
  const [, key, operator, list] = SET.exec(text) ?? []
  if (key === undefined || list === undefined) return undefined
  const values = list.split(',').map((value) => value.trim())
  return { key, operator: operator === 'in' ? 'In' : 'NotIn', values }
}

function parseEquality(text: string): LabelRequirement | undefined {
  const [, key, operator, value] = EQUALITY.exec(text) ?? []
  if (key === undefined || value === undefined) return undefined
  return { key, operator: operator === '!=' ? 'NotIn' : 'In', values: [value] }
}

function parsePresence(text: string): LabelRequirement | undefined {
  const [, not, key] = PRESENCE.exec(text) ?? []
  if (key === undefined) return undefined
  return { key, operator: not === '!' ? 'DoesNotExist' : 'Exists' }
}

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/
const PREFIX = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/

function checkKey(key: string): void {
  const slash = key.indexOf('/')
  if (slash !== -1 && !PREFIX.test(key.slice(0, slash))) throw invalid(`"${key}" is not a label key`)
  if (!NAME.test(key.slice(slash + 1))) throw invalid(`"${key}" is not a label key`)
}

function checkValue(key: string, value: string): void {
  if (value !== '' && !NAME.test(value)) throw invalid(`"${value}" is not a value of a label ("${key}")`)
}

function invalid(cause: string): CodedError {
  return new CodedError('InvalidLabelSelector', `cannot use label selector: ${cause}`)
}
