import { isJsonArray, isJsonObject, type JsonValue } from '../../../core/base/json.ts'

/** Finds the values of a path in an object; none when a step is missing. */
export type JsonPathQuery = (root: JsonValue) => readonly JsonValue[]

/**
 * Compiles the JSONPath of Kubernetes: `.spec.x`, `['a.b']`, `.a\.b`, `[0]`, `[-1]`, `[*]`, `[1:3]`, `[0,2]`, `.*`, `..x`, and filters like
 * `[?(@.type=="Ready")]`.
 *
 * @throws SyntaxError
 */
export function compileJsonPath(text: string): JsonPathQuery {
  const steps = new PathParser(text.startsWith('{') ? text.slice(1, -1) : text).parse()
  return (root) => steps.reduce<readonly JsonValue[]>((values, step) => values.flatMap(step), [root])
}

type Step = (value: JsonValue) => readonly JsonValue[]

const NAME_END = /[.[\]]/

class PathParser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): readonly Step[] {
    const steps: Step[] = []
    if (this.#text.startsWith('$')) this.#at++
    while (this.#at < this.#text.length) steps.push(this.#step())
    return steps
  }

  #step(): Step {
    if (this.#text.startsWith('..', this.#at)) {
      this.#at += 2
      const name = this.#name()
      if (name === '*') throw new SyntaxError(`.. is followed by no name in ${this.#text}`)
      return (value) => descendants(value).flatMap((each) => child(each, name))
    }
    if (this.#text[this.#at] === '[') return this.#bracket()
    if (this.#text[this.#at] === '.') this.#at++
    if (this.#text[this.#at] === '[') return this.#bracket()
    const name = this.#name()
    return name === '*' ? children : (value) => child(value, name)
  }

  #name(): string {
    let name = ''
    for (; this.#at < this.#text.length; this.#at++) {
      const letter = this.#text.charAt(this.#at)
      if (NAME_END.test(letter)) break
      name += letter === '\\' ? this.#text.charAt(++this.#at) : letter
    }
    if (name === '') throw new SyntaxError(`a name is missing in ${this.#text}`)
    return name
  }

  #bracket(): Step {
    const end = bracketEnd(this.#text, this.#at)
    const inner = this.#text.slice(this.#at + 1, end).trim()
    this.#at = end + 1
    if (inner.startsWith('?')) return filter(inner)
    const parts = splitUnion(inner).map(bracketStep)
    const [only] = parts
    return only && parts.length === 1 ? only : (value) => parts.flatMap((part) => part(value))
  }
}

/** At the commas outside of quotes. */
function splitUnion(text: string): readonly string[] {
  return (
    text
      .match(/'[^']*'|"[^"]*"|[^,'"]+/g)
      ?.map((part) => part.trim())
      .filter((part) => part !== '') ?? ['']
  )
}

/** `*`, a name in quotes, a number or a slice. */
function bracketStep(text: string): Step {
  if (text === '*') return children
  // What is in quotes is a path again, as in the real server: its dots lead on.
  const quoted = /^'(.*)'$/s.exec(text)?.[1]
  if (quoted !== undefined) {
    const query = compileJsonPath(`.${quoted}`)
    return (value) => query(value)
  }
  const range = /^(-?\d+)?(?::(-?\d+)?)?(?::(-?\d+)?)?$/.exec(text)
  if (!range || text === '') throw new SyntaxError(`[${text}] is no step of a path`)
  if (/^-?\d+$/.test(text)) return (value) => item(value, Number(text))
  const [start, end, step] = range.slice(1).map((part) => (part === undefined ? undefined : Number(part)))
  return (value) => slice(value, { start, end, step })
}

interface Slice {
  readonly start: number | undefined
  readonly end: number | undefined
  readonly step: number | undefined
}

function slice(value: JsonValue, { start, end, step = 1 }: Slice): readonly JsonValue[] {
  if (!isJsonArray(value) || step <= 0) return []
  const items = value.slice(start, end)
  return items.filter((_item, index) => index % step === 0)
}

/** Position of the bracket that closes the one at `start`; quotes and inner brackets are skipped. */
function bracketEnd(text: string, start: number): number {
  let depth = 0
  let quote = ''
  for (let at = start; at < text.length; at++) {
    const letter = text.charAt(at)
    if (quote !== '') {
      if (letter === quote) quote = ''
    } else if (letter === '"' || letter === "'") quote = letter
    else if (letter === '[') depth++
    else if (letter === ']' && --depth === 0) return at
  }
  throw new SyntaxError(`unterminated array in ${text}`)
}

function child(value: JsonValue, name: string): readonly JsonValue[] {
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return []
  return [value[name] ?? null]
}

function children(value: JsonValue): readonly JsonValue[] {
  if (isJsonArray(value)) return value
  return isJsonObject(value) ? Object.values(value).filter((each) => each !== undefined) : []
}

function item(value: JsonValue, index: number): readonly JsonValue[] {
  if (!isJsonArray(value)) return []
  const found = value.at(index)
  return found === undefined ? [] : [found]
}

function descendants(value: JsonValue): readonly JsonValue[] {
  return [value, ...children(value).flatMap(descendants)]
}

const FILTER = /^\?\s*\(\s*@(.*?)\s*(?:(==|!=|<=|>=|<|>)\s*(.+?)\s*)?\)$/s

function filter(text: string): Step {
  const [, path, operator, literal] = FILTER.exec(text) ?? []
  if (path === undefined) throw new SyntaxError(`[${text}] is no filter`)
  const query = compileJsonPath(path)
  const holds =
    operator === undefined || literal === undefined ? () => true : comparison(operator, parseLiteral(literal))
  return (value) => children(value).filter((each) => query(each).some(holds))
}

function parseLiteral(text: string): JsonValue {
  if (/^'.*'$|^".*"$/s.test(text)) return text.slice(1, -1)
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new SyntaxError(`${text} is no value to compare with`)
}

function comparison(operator: string, wanted: JsonValue): (value: JsonValue) => boolean {
  if (operator === '==') return (value) => value === wanted
  if (operator === '!=') return (value) => value !== wanted
  const sign = operator.startsWith('<') ? -1 : 1
  const orEqual = operator.endsWith('=')
  return (value) => {
    if (typeof value !== typeof wanted || value === null || wanted === null) return false
    if (value === wanted) return orEqual
    return (value > wanted ? 1 : -1) === sign
  }
}
