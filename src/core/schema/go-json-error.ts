const END = 'unexpected end of JSON input'
const BEGIN_VALUE = 'looking for beginning of value'
const BEGIN_KEY = 'looking for beginning of object key string'

/** What may come next; beside each, what Go says of anything else. */
const CONTEXTS = {
  value: BEGIN_VALUE,
  valueOrEnd: BEGIN_VALUE,
  key: BEGIN_KEY,
  keyOrEnd: BEGIN_KEY,
  colon: 'after object key',
  pairEnd: 'after object key:value pair',
  itemEnd: 'after array element',
  end: 'after top-level value',
} as const

type State = keyof typeof CONTEXTS

/** What Go says about JSON that is broken; nothing when it is none of that. */
export function goJsonError(text: string): string | undefined {
  // Go looks at bytes.
  const bytes = Buffer.from(text).toString('latin1')
  const open: ('{' | '[')[] = []
  let state: State = 'value'
  let position = 0
  for (;;) {
    position = skip(bytes, position, /[ \t\r\n]*/y)
    const next = bytes.charAt(position)
    if (next === '') return state === 'end' ? undefined : END
    const isKey: boolean = state === 'key' || state === 'keyOrEnd'
    if (isClosed(next, state)) {
      open.pop()
      state = afterValue(open)
      position++
    } else if (state === 'colon' && next === ':') {
      state = 'value'
      position++
    } else if ((state === 'pairEnd' || state === 'itemEnd') && next === ',') {
      state = state === 'pairEnd' ? 'key' : 'value'
      position++
    } else if ((state === 'value' || state === 'valueOrEnd') && (next === '{' || next === '[')) {
      open.push(next)
      state = next === '{' ? 'keyOrEnd' : 'valueOrEnd'
      position++
    } else if (isKey ? next === '"' : state.startsWith('value') && /["\-\dtfn]/.test(next)) {
      const end = readScalar(bytes, position)
      if (typeof end === 'string') return end
      position = end
      state = isKey ? 'colon' : afterValue(open)
    } else return wrong(next, CONTEXTS[state])
  }
}

function isClosed(next: string, state: State): boolean {
  if (next === '}') return state === 'keyOrEnd' || state === 'pairEnd'
  return next === ']' && (state === 'valueOrEnd' || state === 'itemEnd')
}

function afterValue(open: readonly ('{' | '[')[]): State {
  if (open.length === 0) return 'end'
  return open.at(-1) === '{' ? 'pairEnd' : 'itemEnd'
}

/** Where a text, number or word ends, or what is wrong with it. */
function readScalar(bytes: string, start: number): number | string {
  const first = bytes.charAt(start)
  if (first === '"') return readText(bytes, start + 1)
  const word = ['true', 'false', 'null'].find((each) => each.startsWith(first))
  return word === undefined ? readNumber(bytes, start) : readWord(bytes, start, word)
}

function readWord(bytes: string, start: number, word: string): number | string {
  for (let at = 1; at < word.length; at++) {
    const letter = bytes.charAt(start + at)
    if (letter !== word.charAt(at)) return wrong(letter, `in literal ${word} (expecting '${word.charAt(at)}')`)
  }
  return start + word.length
}

const DIGIT = /\d/

function readNumber(bytes: string, start: number): number | string {
  let position = skip(bytes, start, /-?/y)
  if (!DIGIT.test(bytes.charAt(position))) return wrong(bytes.charAt(position), 'in numeric literal')
  position = skip(bytes, position, /0|\d*/y)
  if (bytes.charAt(position) === '.') {
    position++
    if (!DIGIT.test(bytes.charAt(position)))
      return wrong(bytes.charAt(position), 'after decimal point in numeric literal')
    position = skip(bytes, position, /\d*/y)
  }
  const exponent = skip(bytes, position, /(?:[eE][+-]?)?/y)
  if (exponent === position) return position
  if (!DIGIT.test(bytes.charAt(exponent))) return wrong(bytes.charAt(exponent), 'in exponent of numeric literal')
  return skip(bytes, exponent, /\d*/y)
}

function readText(bytes: string, start: number): number | string {
  let position = start
  for (;;) {
    position = skip(bytes, position, /[ !#-[\]-\u00ff]*/y)
    const next = bytes.charAt(position)
    if (next === '"') return position + 1
    if (next === '') return END
    if (next !== '\\') return wrong(next, 'in string literal')
    const letter = bytes.charAt(position + 1)
    if (!/["\\/bfnrtu]/.test(letter)) return wrong(letter, 'in string escape code')
    position += 2
    if (letter === 'u') {
      const end = skip(bytes, position, /[\da-fA-F]{0,4}/y)
      if (end < position + 4) return wrong(bytes.charAt(end), 'in \\u hexadecimal character escape')
      position = end
    }
  }
}

/** Behind what a pattern that always matches matches here. */
function skip(bytes: string, position: number, pattern: RegExp): number {
  pattern.lastIndex = position
  pattern.test(bytes)
  return pattern.lastIndex
}

/** At the end of its input, Go looks at a space. */
function wrong(character: string, context: string): string {
  return `invalid character '${quoted(character || ' ')}' ${context}`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\\': '\\\\',
  "'": "\\'",
}

/** No text of UTF-8 is broken in the middle of a letter: what is beyond ASCII begins one, and is plain. */
function quoted(character: string): string {
  const code = character.charCodeAt(0)
  const isPlain = code > 0x1f && code !== 0x7f
  return ESCAPES[character] ?? (isPlain ? character : `\\x${code.toString(16).padStart(2, '0')}`)
}
