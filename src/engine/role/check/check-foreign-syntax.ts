import { isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import type { Problem } from '../../../core/yaml/diagnostic.ts'
import { meantByTemplate } from '../../../core/yaml/template-of-others.ts'
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
 * Reports `{{ }}` and `$( )` in texts that go to the cluster or to people as they are, and that mean nothing there. In a text that is free,
 * only what names the resource or a variable of the role.
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
      const found = foreignIn(key, { names, isFree })
      if (found) texts.reportStretch({ path: place, at: 'key' }, found.offset, found.written.length, problemWith(found))
      reportForeignSyntax(inner, place, { ...check, isFree: isFree || FREE_TEXT.has(key) })
    }
  } else if (typeof value === 'string') {
    const found = foreignIn(value, { names, isFree })
    if (found) texts.reportStretch({ path }, found.offset, found.written.length, problemWith(found))
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

function foreignIn(text: string, { names, isFree }: Surroundings): Foreign | undefined {
  const braces = /\{\{(.*?)\}\}/s.exec(text)
  if (braces && (!isFree || isOurs(braces[1] ?? '', names))) return foreignOf(braces)
  const round = /\$\(([\w.]+)\)/.exec(text)
  return round && isOurs(round[1] ?? '', names) ? foreignOf(round) : undefined
}

function foreignOf({ 0: written, 1: inner = '', index }: RegExpExecArray): Foreign {
  return { written, inner, offset: index }
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
