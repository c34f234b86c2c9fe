import { CelRuntimeError } from '../cel-error.ts'
import type { CelCall } from '../environment.ts'
import { formatText } from '../format-text.ts'
import type { FunctionTable } from '../signature.ts'
import { CelList, type CelValue } from '../values.ts'

/** Functions of texts: those of CEL, and version 2 of its extension. Places count code points. */
export const STRINGS: FunctionTable = {
  'method contains(string, string): bool': ([text, part], call) => {
    call.spend(Math.ceil((len(text) * len(part)) / 100))
    return str(text).includes(str(part))
  },
  'method endsWith(string, string): bool': ([text, end]) => str(text).endsWith(str(end)),
  'method startsWith(string, string): bool': ([text, start]) => str(text).startsWith(str(start)),
  'method charAt(string, int): string': ([text, at]) => charAt([...str(text)], at as bigint),
  'method indexOf(string, string): int': ([text, part]) => indexOf(str(text), str(part), 0n),
  'method indexOf(string, string, int): int': ([text, part, from]) => indexOf(str(text), str(part), from as bigint),
  'method lastIndexOf(string, string): int': ([text, part]) => lastIndexOf(str(text), str(part)),
  'method lastIndexOf(string, string, int): int': ([text, part, from]) =>
    lastIndexFrom(str(text), str(part), from as bigint),
  'method lowerAscii(string): string': ([text], call) => spent(call, str(text).replace(/[A-Z]/g, lower)),
  'method upperAscii(string): string': ([text], call) => spent(call, str(text).replace(/[a-z]/g, upper)),
  'method trim(string): string': ([text], call) => spent(call, str(text).trim()),
  'method replace(string, string, string): string': ([text, old, by], call) =>
    replaced({ text: str(text), old: str(old), by: str(by) }, -1, call),
  'method replace(string, string, string, int): string': ([text, old, by, count], call) =>
    replaced({ text: str(text), old: str(old), by: str(by) }, Number(count), call),
  'method split(string, string): list<string>': ([text, by], call) => split([str(text), str(by)], -1, call),
  'method split(string, string, int): list<string>': ([text, by, count], call) =>
    split([str(text), str(by)], Number(count), call),
  'method substring(string, int): string': ([text, start]) => substring([...str(text)], start as bigint),
  'method substring(string, int, int): string': ([text, start, end]) =>
    substring([...str(text)], start as bigint, end as bigint),
  'method join(list<string>): string': ([list], call) => join(list as CelList, '', call),
  'method join(list<string>, string): string': ([list, by], call) => join(list as CelList, str(by), call),
  'method format(string, list<dyn>): string': ([text, values], call) =>
    spent(call, formatText(str(text), values as CelList)),
  'strings.quote(string): string': ([text], call) => spent(call, quoted(str(text))),
}

function str(value: CelValue | undefined): string {
  return value as string
}

function len(value: CelValue | undefined): number {
  return str(value).length
}

/** Work that grows with a text costs a tenth a character. */
function spent(call: CelCall, text: string): string {
  call.spend(Math.ceil(text.length / 10))
  return text
}

function lower(letter: string): string {
  return letter.toLowerCase()
}

function upper(letter: string): string {
  return letter.toUpperCase()
}

function outOfRange(index: bigint): CelRuntimeError {
  return new CelRuntimeError(`index out of range: ${index}`)
}

function charAt(characters: readonly string[], at: bigint): string {
  if (at < 0n || at > characters.length) throw outOfRange(at)
  return characters[Number(at)] ?? ''
}

function indexOf(text: string, part: string, from: bigint): bigint {
  if (part === '') return from
  if (from < 0n) throw outOfRange(from)
  const characters = [...text]
  const skipped = characters.slice(0, Number(from)).join('').length
  return from >= characters.length ? -1n : toCodePoints(text, text.indexOf(part, skipped))
}

function lastIndexOf(text: string, part: string): bigint {
  return part === '' ? BigInt([...text].length) : toCodePoints(text, text.lastIndexOf(part))
}

function lastIndexFrom(text: string, part: string, from: bigint): bigint {
  if (part === '') return from
  if (from < 0n) throw outOfRange(from)
  const characters = [...text]
  if (from >= characters.length) return -1n
  return toCodePoints(text, text.lastIndexOf(part, characters.slice(0, Number(from)).join('').length))
}

function toCodePoints(text: string, index: number): bigint {
  return index < 0 ? -1n : BigInt([...text.slice(0, index)].length)
}

function replaced(
  { text, old, by }: Readonly<Record<'by' | 'old' | 'text', string>>,
  count: number,
  call: CelCall,
): string {
  const pieces = old === '' ? ['', ...text, ''] : text.split(old)
  const limit = count < 0 ? pieces.length - 1 : Math.min(count, pieces.length - 1)
  call.spend(Math.ceil((text.length + limit * by.length) / 10))
  const rest = pieces.slice(limit).join(old)
  return [...pieces.slice(0, limit), rest].join(by)
}

function split([text, by]: readonly [string, string], count: number, call: CelCall): CelList {
  call.spend(Math.ceil(text.length / 10))
  if (count === 0) return CelList.of([])
  const pieces = by === '' ? [...text] : text.split(by)
  if (count < 0 || pieces.length <= count) return CelList.of(pieces)
  return CelList.of([...pieces.slice(0, count - 1), pieces.slice(count - 1).join(by)])
}

function substring(characters: readonly string[], start: bigint, end?: bigint): string {
  if (end !== undefined && start > end) {
    throw new CelRuntimeError(`invalid substring range. start: ${start}, end: ${end}`)
  }
  if (start < 0n || start > characters.length) throw outOfRange(start)
  if (end !== undefined && end > characters.length) throw outOfRange(end)
  return characters.slice(Number(start), end === undefined ? undefined : Number(end)).join('')
}

function join(list: CelList, by: string, call: CelCall): string {
  const texts = [...list].map((item) => {
    if (typeof item !== 'string') throw new CelRuntimeError(`join: invalid input: ${String(item)}`)
    return item
  })
  return spent(call, texts.join(by))
}

function quoted(text: string): string {
  return `"${[...text].map((character) => ESCAPES[character] ?? character).join('')}"`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
}
