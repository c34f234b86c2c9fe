import { type SlipRule, VALUE } from './slip.ts'

/** By filter of Jinja, or function of a pipeline of Helm: what JSONata has for it, `x` being the value and `a` the arguments. */
const FILTERS: Readonly<Record<string, (x: string, a: string) => string>> = {
  default: (x, a) => `${x} ?? ${a || '""'}`,
  d: (x, a) => `${x} ?? ${a || '""'}`,
  lower: (x) => `$lowercase(${x})`,
  upper: (x) => `$uppercase(${x})`,
  trim: (x) => `$trim(${x})`,
  length: (x) => `$count(${x})`,
  count: (x) => `$count(${x})`,
  len: (x) => `$count(${x})`,
  join: (x, a) => `$join(${x}, ${a || '""'})`,
  split: (x, a) => `$split(${x}, ${a || '","'})`,
  replace: (x, a) => `$replace(${x}, ${a})`,
  int: (x) => `$number(${x})`,
  float: (x) => `$number(${x})`,
  atoi: (x) => `$number(${x})`,
  string: (x) => `$string(${x})`,
  toString: (x: string) => `$string(${x})`,
  quote: (x) => `$string(${x})`,
  bool: (x) => `$boolean(${x})`,
  b64encode: (x) => `$base64encode(${x})`,
  b64enc: (x) => `$base64encode(${x})`,
  b64decode: (x) => `$base64decode(${x})`,
  b64dec: (x) => `$base64decode(${x})`,
  to_json: (x) => `$toJson(${x})`,
  toJson: (x) => `$toJson(${x})`,
  from_json: (x) => `$fromJson(${x})`,
  to_yaml: (x) => `$toYaml(${x})`,
  toYaml: (x) => `$toYaml(${x})`,
  from_yaml: (x) => `$fromYaml(${x})`,
  first: (x) => `${x}[0]`,
  last: (x) => `${x}[-1]`,
  sort: (x) => `$sort(${x})`,
  unique: (x) => `$distinct(${x})`,
  uniq: (x) => `$distinct(${x})`,
  reverse: (x) => `$reverse(${x})`,
  sum: (x) => `$sum(${x})`,
  min: (x) => `$min(${x})`,
  max: (x) => `$max(${x})`,
  abs: (x) => `$abs(${x})`,
  round: (x, a) => (a ? `$round(${x}, ${a})` : `$round(${x})`),
  keys: (x) => `$keys(${x})`,
  combine: (x, a) => `$merge([${x}, ${a}])`,
  sha256sum: (x) => `$sha256(${x})`,
  list: (x) => `[${x}]`,
  mandatory: (x) => x,
  map: (x, a) => `${x}.${/attribute\s*=\s*["'](\w+)["']/.exec(a)?.[1] ?? '(…)'}`,
  selectattr: (x, a) => {
    const [field = '…', , value] = a.split(/\s*,\s*/)
    return `${x}[${field.replace(/["']/g, '')}${value === undefined ? '' : ` = ${value}`}]`
  },
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
    rewrite: ([, value = '', filter = '', round = '', bare = '']) => own(FILTERS, filter)?.(value, round || bare) ?? '',
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
    hint: 'write `$exists(…)` for what is there, or compare by `=`',
  },
]
