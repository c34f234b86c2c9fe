import { isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import type { Problem } from '../../../core/yaml/diagnostic.ts'
import { meantByTemplate } from '../../../core/yaml/template-of-others.ts'
import { splitTemplate } from '../../expression/split-template.ts'
import type { TypedTexts } from './typed-texts.ts'

/** Fields whose text is for programs that have templates of their own: ConfigMaps, Secrets, annotations, scripts. */
const FREE_TEXT: ReadonlySet<string> = new Set([
  'data',
  'stringData',
  'binaryData',
  'annotations',
  'args',
  'command',
  'value',
  'vars',
])

/** What begins a template of another language that means the resource or the role. */
const OURS =
  /^\s*-?\s*(?:metadata|spec|self|schema|item|\.Values|\.Release|\.Chart|ansible_operator_meta|meta)\b(?!\s*=)/

/**
 * Reports `{{ }}`, `$( )` and `$metadata.name` in texts that go to the cluster or to people as they are, and that mean nothing there. In a
 * text that is free, only what names the resource or a variable of the role between brackets.
 */
export function reportForeignSyntax(
  value: JsonValue | undefined,
  path: JsonPath,
  check: { readonly texts: TypedTexts; readonly names: ReadonlySet<string>; readonly isFree?: boolean },
): void {
  const { texts, names, isFree = false } = check
  if (isJsonArray(value)) {
    for (const [index, item] of value.entries()) reportForeignSyntax(item, [...path, index], check)
  } else if (isJsonObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      const place = [...path, key]
      for (const found of foreignIn(key, { names, isFree }))
        texts.reportStretch({ path: place, at: 'key' }, found.offset, found.written.length, problemWith(found))
      reportForeignSyntax(inner, place, { ...check, isFree: isFree || FREE_TEXT.has(key) })
    }
  } else if (typeof value === 'string') {
    for (const found of foreignIn(value, { names, isFree }))
      texts.reportStretch({ path }, found.offset, found.written.length, problemWith(found))
  }
}

interface Surroundings {
  readonly names: ReadonlySet<string>
  readonly isFree: boolean
}

interface Foreign {
  readonly written: string
  readonly inner: string
  readonly offset: number
}

const BRACES = /\{\{(.*?)\}\}/gs
const ROUND = /\$\(([\w.]+)\)/g
/** As a variable of a shell would be. Scripts, which are free texts, have variables of their own. */
const BARE = /(?<!\$)\$((?:metadata|spec)(?:\.\w+)+)/g

function foreignIn(text: string, { names, isFree }: Surroundings): readonly Foreign[] {
  if (!/\{\{|\$/.test(text)) return []
  const plain = withoutExpressions(text)
  const braces = all(BRACES, plain).filter(({ inner }) => !isFree || isOurs(inner, names))
  const round = all(ROUND, plain).filter(({ inner }) => isOurs(inner, names))
  const bare = isFree ? [] : all(BARE, plain)
  const others = [...round, ...bare].filter((one) => !braces.some((other) => isWithin(one, other)))
  return [...braces, ...others].sort((left, right) => left.offset - right.offset)
}

function all(pattern: RegExp, text: string): readonly Foreign[] {
  return [...text.matchAll(pattern)].map(({ 0: written, 1: inner = '', index }) => ({ written, inner, offset: index }))
}

function isWithin({ offset }: Foreign, around: Foreign): boolean {
  return offset >= around.offset && offset < around.offset + around.written.length
}

/** The text with spaces in place of its expressions: maps in them have braces, too. One that is never closed has been reported. */
function withoutExpressions(text: string): string {
  try {
    return splitTemplate(text).reduce(
      (plain, part) =>
        'source' in part ? blanked(plain, part.offset - 2, part.offset + part.source.length + 1) : plain,
      text,
    )
  } catch {
    return text
  }
}

function blanked(text: string, start: number, end: number): string {
  return text.slice(0, start) + ' '.repeat(end - start) + text.slice(end)
}

/** Whether it names the resource, or a variable of the role. */
function isOurs(inner: string, names: ReadonlySet<string>): boolean {
  return OURS.test(inner) || names.has(/^\s*(\w+)\s*(?:\||$)/.exec(inner)?.[1] ?? '')
}

function problemWith({ written, inner }: Foreign): Problem {
  return {
    severity: 'error',
    code: 'RB1156',
    message: `\`${written}\` stays as it is: it is not an expression here`,
    hint: `write \`\${${meantByTemplate(inner) ?? '…'}}\``,
  }
}
