import { maskTexts } from './mask-texts.ts'

type Rewrite = (x: string, a: readonly string[]) => string

/** Functions and methods of other languages, by name: what JSONata has for them. `x` is the value, `a` the arguments. */
const FUNCTIONS: Readonly<Record<string, Rewrite>> = {
  has: (x) => `$exists(${x})`,
  exists: (x, [name, test]) => (test === undefined ? `$exists(${x})` : `$exists(${x}[${within(test, name)}])`),
  exists_one: (x, [name, test = '']) => `$count(${x}[${within(test, name)}]) = 1`,
  all: (x, [name, test = '']) => `$count(${x}[${within(test, name)}]) = $count(${x})`,
  some: (x) => `$exists(${x}[…])`,
  every: (x) => `$count(${x}[…]) = $count(${x})`,
  map: (x, [name, value]) => (value === undefined ? `${x}.(…)` : `${x}.(${within(value, name)})`),
  filter: (x, [name, test]) => (test === undefined ? `${x}[…]` : `${x}[${within(test, name)}]`),
  find: (x) => `${x}[…][0]`,
  size: (x) => `$count(${x})`,
  len: (x) => `$count(${x})`,
  length: (x) => `$count(${x})`,
  count: (x) => `$count(${x})`,
  str: (x) => `$string(${x})`,
  string: (x) => `$string(${x})`,
  toString: (x: string) => `$string(${x})`,
  String: (x) => `$string(${x})`,
  int: (x) => `$number(${x})`,
  float: (x) => `$number(${x})`,
  double: (x) => `$number(${x})`,
  Number: (x) => `$number(${x})`,
  parseInt: (x) => `$number(${x})`,
  bool: (x) => `$boolean(${x})`,
  lower: (x) => `$lowercase(${x})`,
  lowerAscii: (x) => `$lowercase(${x})`,
  toLowerCase: (x) => `$lowercase(${x})`,
  upper: (x) => `$uppercase(${x})`,
  upperAscii: (x) => `$uppercase(${x})`,
  toUpperCase: (x) => `$uppercase(${x})`,
  trim: (x) => `$trim(${x})`,
  strip: (x) => `$trim(${x})`,
  contains: (x, [a = '…']) => `$contains(${x}, ${a})`,
  includes: (x, [a = '…']) => `${a} in ${x}`,
  startsWith: (x, [a = '…']) => `$substring(${x}, 0, $length(${a})) = ${a}`,
  startswith: (x, [a = '…']) => `$substring(${x}, 0, $length(${a})) = ${a}`,
  endsWith: (x, [a = '…']) => `$substring(${x}, -$length(${a})) = ${a}`,
  endswith: (x, [a = '…']) => `$substring(${x}, -$length(${a})) = ${a}`,
  matches: (x) => `$contains(${x}, /…/)`,
  join: (x, [a = '""']) => `$join(${x}, ${a})`,
  split: (x, [a = '","']) => `$split(${x}, ${a})`,
  replace: (x, a) => `$replace(${[x, ...a].join(', ')})`,
  substring: (x, a) => `$substring(${[x, ...a].join(', ')})`,
  keys: (x) => `$keys(${x})`,
  items: (x) => `$entries(${x})`,
  values: (x) => `${x}.*`,
  get: (x, [a = '…', other]) => (other === undefined ? `$lookup(${x}, ${a})` : `$lookup(${x}, ${a}) ?? ${other}`),
  sum: (x) => `$sum(${x})`,
  min: (x, a) => `$min([${[x, ...a].join(', ')}])`,
  max: (x, a) => `$max([${[x, ...a].join(', ')}])`,
  range: (x, [end]) => (end === undefined ? `[0..${x}-1]` : `[${x}..${end}-1]`),
  dict: () => '{…}',
  list: (x, a) => `[${[x, ...a].join(', ')}]`,
  coalesce: (x, a) => [x, ...a].join(' ?? '),
  default: (x, [a = '…']) => `${a} ?? ${x}`,
  b64encode: (x) => `$base64encode(${x})`,
  b64enc: (x) => `$base64encode(${x})`,
  toJson: (x) => `$toJson(${x})`,
  toYaml: (x) => `$toYaml(${x})`,
}

/** The call of a function of another language, in JSONata. `undefined`: no function has that name. */
export function rewrittenCall(name: string, x: string, a: readonly string[]): string | undefined {
  return Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name]?.(x, a) : undefined
}

/** The body of a macro with its variable taken away: fields of the item stand for themselves. */
function within(body: string, name = ''): string {
  return body
    .replaceAll(new RegExp(String.raw`\b${name.trim()}\.`, 'g'), '')
    .replaceAll(new RegExp(String.raw`\b${name.trim()}\b`, 'g'), '$')
}

/** The arguments of a call, as far as brackets are closed. */
export function argumentsIn(text: string): readonly string[] {
  const found: string[] = []
  let depth = 0
  let start = 0
  for (const [index, char] of maskTexts(text).split('').entries()) {
    if ('([{'.includes(char)) depth += 1
    if (')]}'.includes(char)) depth -= 1
    if (char === ',' && depth === 0) {
      found.push(text.slice(start, index).trim())
      start = index + 1
    }
  }
  const last = text.slice(start).trim()
  return last === '' ? found : [...found, last]
}
