import { additionalSchemaOf, type Schema } from './schema.ts'

/** `.spec['a.b'].c` as the server writes it, `spec[a.b].c`; undefined when the schema has no such field. */
export function resolveFieldPath(path: string, schema: Schema): string | undefined {
  let current: Schema | undefined = schema
  let resolved = ''
  let rest = path
  while (rest !== '') {
    const step = readStep(rest)
    if (!step) return undefined
    const { name, length } = step
    const declared: Schema['properties'] = current.properties
    const found: Schema | undefined = declared ? declared[name] : additionalSchemaOf(current)
    if (!found || (declared && !Object.hasOwn(declared, name))) return undefined
    resolved += declared ? `.${name}` : `[${name}]`
    current = found
    rest = rest.slice(length)
  }
  return resolved.replace(/^\./, '')
}

function readStep(path: string): { readonly name: string; readonly length: number } | undefined {
  const named = /^\.([^.[\]]+)/.exec(path)
  if (named) return { name: named[1] as string, length: named[0].length }
  const quoted = /^\['((?:[^'\\]|\\.)*)'\]/.exec(path)
  const name = quoted && unescapeQuoted(quoted[1] as string)
  return quoted && name !== undefined && name !== null ? { name, length: quoted[0].length } : undefined
}

function unescapeQuoted(text: string): string | undefined {
  const known = [...text.matchAll(/\\(.)/g)].every(([, letter = '']) => letter in ESCAPES)
  return known ? text.replace(/\\(.)/g, (_whole, letter: string) => ESCAPES[letter] as string) : undefined
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
}
