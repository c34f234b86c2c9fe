import { Undecided } from '../undecided.ts'

export interface JinjaToken {
  readonly kind: 'name' | 'string' | 'number' | 'operator' | 'end'
  /** Of a string: its value. */
  readonly text: string
  readonly offset: number
}

const TOKEN =
  /\s+|(?<name>[A-Za-z_][A-Za-z0-9_]*)|(?<number>\d+(?:\.\d+)?)|(?<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<operator>==|!=|<=|>=|\*\*|\/\/|[-+*/%~<>()[\]{},.:|=])/suy

/** An expression of Jinja as tokens, the last one its end. @throws Undecided with the offset of what is none */
export function tokenizeJinja(source: string): readonly JinjaToken[] {
  const tokens: JinjaToken[] = []
  for (let offset = 0; offset < source.length; ) {
    TOKEN.lastIndex = offset
    const match = TOKEN.exec(source)
    if (!match) {
      throw new Undecided('RB1705', `\`${source.slice(offset, offset + 1)}\` is not a part of a simple template`, {
        place: { path: [], offset },
      })
    }
    const token = toToken(match.groups ?? {}, offset)
    if (token) tokens.push(token)
    offset = TOKEN.lastIndex
  }
  return [...tokens, { kind: 'end', text: '', offset: source.length }]
}

function toToken(groups: Readonly<Record<string, string | undefined>>, offset: number): JinjaToken | undefined {
  const { name, number, string, operator } = groups
  if (name !== undefined) return { kind: 'name', text: name, offset }
  if (number !== undefined) return { kind: 'number', text: number, offset }
  if (string !== undefined) return { kind: 'string', text: unescapeText(string.slice(1, -1)), offset }
  return operator === undefined ? undefined : { kind: 'operator', text: operator, offset }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

function unescapeText(text: string): string {
  return text.replace(/\\(.)/gsu, (_whole, letter: string) => ESCAPES[letter] ?? letter)
}
