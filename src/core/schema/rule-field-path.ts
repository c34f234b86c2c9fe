import { additionalSchemaOf, type Schema } from './schema.ts'

/** A field that a path such as `.spec['a.b'].c` leads to. */
export interface FoundField {
  /** As the server writes it: `spec[a.b].c`. */
  readonly path: string
  readonly schema: Schema
}

/** Follows a path through a schema; a text when it leads nowhere. */
export function findField(path: string, schema: Schema, { brackets = true } = {}): FoundField | string {
  let found: FoundField = { path: '', schema }
  let rest = path
  while (rest !== '') {
    const step = readStep(rest, brackets)
    if (typeof step === 'string') return step
    const inner = childOf(found, step.name)
    if (!inner) return 'does not refer to a valid field'
    found = inner
    rest = rest.slice(step.length)
  }
  return found
}

/** The path as the server writes it; undefined when it leads nowhere. */
export function resolveFieldPath(path: string, schema: Schema): string | undefined {
  const found = findField(path, schema)
  return typeof found === 'string' ? undefined : found.path
}

function childOf({ path, schema }: FoundField, name: string): FoundField | undefined {
  const { properties } = schema
  if (!properties) {
    const values = additionalSchemaOf(schema)
    return values && { path: `${path}[${name}]`, schema: values }
  }
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined
  return property && { path: path === '' ? name : `${path}.${name}`, schema: property }
}

interface PathStep {
  readonly name: string
  readonly length: number
}

function readStep(path: string, brackets: boolean): PathStep | string {
  if (path.startsWith('[')) return brackets ? readBrackets(path) : 'array notation is not allowed'
  if (!path.startsWith('.')) return `expected [ or . but got: ${/^[^.[\]]*/.exec(path)?.[0] || path.charAt(0)}`
  const name = /^\.([^.[\]]+|[.[\]])/.exec(path)
  return name ? { name: name[1] as string, length: name[0].length } : 'unexpected end of JSON path'
}

function readBrackets(path: string): PathStep | string {
  const quoted = /^\['((?:[^'\\]|\\.)*)'\]/.exec(path)
  const name = quoted && unescapeQuoted(quoted[1] as string)
  if (quoted && typeof name === 'string') return { name, length: quoted[0].length }
  return `expected single quoted string but got ${path.slice(1).replace(/\].*$/s, '')}`
}

function unescapeQuoted(text: string): string | undefined {
  const known = [...text.matchAll(/\\(.)/g)].every(([, letter = '']) => Object.hasOwn(ESCAPES, letter))
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
