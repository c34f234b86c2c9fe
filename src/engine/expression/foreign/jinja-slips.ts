import { otherSize, sizeByType } from './by-type.ts'
import { argumentsIn, rewrittenCall } from './foreign-functions.ts'
import { type SlipKnowledge, type SlipRule, VALUE } from './slip.ts'

/** Filters of Jinja, and functions of a pipeline of Helm, that no function of `foreign-functions.ts` stands for. */
const FILTERS: Readonly<Record<string, (x: string, a: readonly string[]) => string>> = {
  default: (x, [a = '""']) => `${x} ?? ${a}`,
  d: (x, [a = '""']) => `${x} ?? ${a}`,
  atoi: (x) => `$number(${x})`,
  quote: (x) => `$string(${x})`,
  b64decode: (x) => `$base64decode(${x})`,
  b64dec: (x) => `$base64decode(${x})`,
  to_json: (x) => `$toJson(${x})`,
  from_json: (x) => `$fromJson(${x})`,
  to_yaml: (x) => `$toYaml(${x})`,
  from_yaml: (x) => `$fromYaml(${x})`,
  first: (x) => `${x}[0]`,
  last: (x) => `${x}[-1]`,
  sort: (x) => `$sort(${x})`,
  unique: (x) => `$distinct(${x})`,
  uniq: (x) => `$distinct(${x})`,
  reverse: (x) => `$reverse(${x})`,
  min: (x) => `$min(${x})`,
  max: (x) => `$max(${x})`,
  abs: (x) => `$abs(${x})`,
  round: (x, a) => `$round(${[x, ...a].join(', ')})`,
  combine: (x, a) => `$merge([${[x, ...a].join(', ')}])`,
  sha256sum: (x) => `$sha256(${x})`,
  mandatory: (x) => x,
  map: (x, a) => `${x}.${/attribute\s*=\s*["'](\w+)["']/.exec(a.join())?.[1] ?? '(…)'}`,
  selectattr: (x, [field = '…', test = '"eq"', value]) => {
    const sign = own(COMPARISONS, test.slice(1, -1))
    if (value !== undefined && sign === undefined) return ''
    return `${x}[${field.replace(/["']/g, '')}${value === undefined ? '' : ` ${sign} ${value}`}]`
  },
}

/** Tests of Jinja that compare two values. */
const COMPARISONS: Readonly<Record<string, string>> = {
  equalto: '=',
  eq: '=',
  '==': '=',
  ne: '!=',
  '!=': '!=',
  gt: '>',
  '>': '>',
  ge: '>=',
  '>=': '>=',
  lt: '<',
  '<': '<',
  le: '<=',
  '<=': '<=',
  in: 'in',
}

/** Filters whose arguments with a name are known. What others mean by theirs is not. */
const WITH_NAMES = new Set(['map', 'default', 'd', 'selectattr'])

function rewrittenFilter(name: string, x: string, given: string, known: SlipKnowledge): string {
  const a = argumentsIn(given)
  if (!WITH_NAMES.has(name) && a.some((argument) => /^\w+\s*=(?!=)/.test(argument))) return ''
  return own(FILTERS, name)?.(x, a) ?? sizeByType(name, x, known) ?? rewrittenCall(name, x, a) ?? ''
}

/** What a test of Jinja asks, as JSONata asks it. */
const TESTS: Readonly<Record<string, (x: string) => string>> = {
  defined: (x) => `$exists(${x})`,
  undefined: (x) => `$not($exists(${x}))`,
  none: (x) => `$not($exists(${x}))`,
  None: (x) => `$not($exists(${x}))`,
  null: (x) => `$not($exists(${x}))`,
  string: (x) => `$type(${x}) = "string"`,
  number: (x) => `$type(${x}) = "number"`,
  mapping: (x) => `$type(${x}) = "object"`,
  iterable: (x) => `$type(${x}) = "array"`,
  true: (x) => `${x} = true`,
  false: (x) => `${x} = false`,
  empty: (x) => `$count(${x}) = 0`,
  even: (x) => `${x} % 2 = 0`,
  odd: (x) => `${x} % 2 = 1`,
}
const NEGATED: Readonly<Record<string, (x: string) => string>> = {
  undefined: (x) => `$exists(${x})`,
  none: (x) => `$exists(${x})`,
  None: (x) => `$exists(${x})`,
  null: (x) => `$exists(${x})`,
}

function own<Entry>(table: Readonly<Record<string, Entry>>, name: string): Entry | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

const NO_FILTER = 'there are no filters: what they do, functions do'

export const JINJA_SLIPS: readonly SlipRule[] = [
  {
    pattern: new RegExp(
      String.raw`(${VALUE})\s*(?<!\|)\|(?!\|)\s*(\w+)(?:\s*\(((?:[^()]|\([^()]*\))*)\)|\s+("[^"]*"|'[^']*'|\d+))?`,
    ),
    message: NO_FILTER,
    rewrite: ([, value = '', filter = '', round = '', bare = ''], known) =>
      rewrittenFilter(filter, value, round || bare, known),
    also: ([, value = '', filter = ''], known) => otherSize(filter, value, known),
    hint: 'write a function: `$lowercase(x)`, `$join(list, ",")`, and `x ?? "default"` for a default',
  },
  {
    pattern: /(?<!\|)\|(?!\|)/,
    message: NO_FILTER,
    hint: 'write a function: `$lowercase(x)`, and `x ?? "default"` for a default',
  },
  {
    pattern: new RegExp(String.raw`(${VALUE})\s+is\s+(not\s+)?(\w+)`),
    message: '`is` is a test of Jinja',
    rewrite: ([, value = '', not, test = '']) => {
      const plain = own(TESTS, test)?.(value)
      if (plain === undefined) return ''
      return not === undefined ? plain : (own(NEGATED, test)?.(value) ?? `$not(${plain})`)
    },
    hint: 'write `$exists(…)` to ask whether a value exists, or compare by `=`',
  },
]
