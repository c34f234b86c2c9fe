import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import type { Schema } from '../../../core/schema/schema.ts'
import type { Expr } from '../../../sandbox/apiserver/cel/expr.ts'
import { asWhole } from '../cel/as-whole.ts'
import type { CelScope } from '../cel/cel-scope.ts'
import { settle } from '../cel/settle.ts'
import { readCel, translate } from '../cel/to-jsonata.ts'
import { allOf, LEVEL, listOf, operandText, TEXT, type Translation, translation } from '../cel/translation.ts'
import { textLiteral } from '../jsonata-text.ts'
import type { NewTask } from '../new-task.ts'
import { placed, Undecided } from '../undecided.ts'
import type { NewSchema } from './new-schema.ts'
import { splitTemplate } from './split-template.ts'
import { escaped } from './template-value.ts'

export interface StatusOptions {
  readonly path: JsonPath
  readonly scope: CelScope
  /** Which resources the expressions have read since it was last asked. */
  readonly takeUsed: () => readonly string[]
  readonly decide: (error: Undecided, name: string) => void
  readonly moved: (name: string) => void
}

export interface KroStatus {
  readonly tasks: readonly NewTask[]
  readonly properties: { readonly [name: string]: NewSchema }
}

/** Fields that kro writes itself, in its own way. */
const OWN: ReadonlySet<string> = new Set(['state', 'conditions'])

/** The status that kro composes. Fields without a value yet are left out, so that they do not delay other fields. */
export function statusTasks(status: JsonObject, options: StatusOptions): KroStatus {
  const groups = new Map<string, Record<string, JsonValue>>()
  const properties: Record<string, NewSchema> = {}
  for (const [name, value] of Object.entries(status)) {
    try {
      if (OWN.has(name)) throw new Undecided('RB1704', `\`${name}\` is written by the engine`, OWN_HINT)
      const path = [...options.path, name]
      const field = placed({ path }, () => statusValue(value as JsonValue, { ...options, path }))
      const key = options.takeUsed().join(' ')
      groups.set(key, { ...groups.get(key), [name]: field.value })
      properties[name] = field.schema
      options.moved(name)
    } catch (error) {
      if (!(error instanceof Undecided)) throw error
      options.takeUsed()
      options.decide(error, name)
    }
  }
  const tasks = [...groups].map(([ids, fields]) => {
    const name = ids === '' ? 'Status' : `Status, from ${ids.split(' ').join(' and ')}`
    return { fields: { name, status: fields } }
  })
  return { tasks, properties }
}

const OWN_HINT = {
  hint: 'Ready, Reconciling and Stalled say what becomes of a resource; write other fields for the rest',
}

interface StatusValue {
  readonly value: JsonValue
  readonly schema: NewSchema
}

function statusValue(value: JsonValue, options: StatusOptions): StatusValue {
  const { path } = options
  if (isJsonArray(value)) {
    const items = value.map((item, index) => statusValue(item, { ...options, path: [...path, index] }))
    const schema = items[0]?.schema ?? {}
    return { value: items.map((item) => item.value), schema: { type: 'array', items: open(schema) } }
  }
  if (isJsonObject(value)) {
    const fields = Object.entries(value).map(([name, inner]) => {
      return [name, statusValue(inner as JsonValue, { ...options, path: [...path, name] })] as const
    })
    const properties = Object.fromEntries(fields.map(([name, field]) => [name, field.schema]))
    return {
      value: Object.fromEntries(fields.map(([name, field]) => [name, field.value])),
      schema: { type: 'object', properties },
    }
  }
  if (typeof value !== 'string') return { value, schema: { type: typeof value === 'boolean' ? 'boolean' : 'number' } }
  return placed({ path }, () => statusText(value, options.scope))
}

/** Within text, a value that is missing would hold up the task: the whole is one expression that yields nothing then. */
function statusText(text: string, scope: CelScope): StatusValue {
  const parts = splitTemplate(text)
  const read = parts.map((part): Translation => {
    if ('text' in part) return translation(textLiteral(part.text), { schema: TEXT })
    return placed({ path: [], offset: part.offset }, () => wholeValue(readCel(part.source), scope))
  })
  const [only] = read
  const joined = read.map((one) => operandText(one, LEVEL.sum + 1)).join(' & ')
  const needs = read.flatMap((one) => one.needs)
  const whole =
    read.length === 1 && only ? asWhole(only) : translation(joined, { schema: TEXT, needs, level: LEVEL.sum })
  if (read.length === 1 && only && parts[0] && 'text' in parts[0])
    return { value: escaped(parts[0].text), schema: { type: 'string' } }
  // A path yields nothing by itself when there is nothing.
  const isPath =
    read.length === 1 && whole.needs.length === 1 && whole.needs[0] === `$exists(${(only as Translation).text})`
  const guarded =
    isPath || whole.needs.length === 0 ? whole.text : `${allOf(whole.needs)} ? ${operandText(whole, LEVEL.or)}`
  return { value: `\${${guarded}}`, schema: open(whole.schema) }
}

function wholeValue(expr: Expr, scope: CelScope): Translation {
  return settle(translate(expr, scope), scope)
}

/** What is known of a value, without what restricts it: the status says what there is. */
function open(schema: Schema | NewSchema | undefined): NewSchema {
  if (schema?.type === undefined || schema['x-kubernetes-int-or-string']) return { ...ANY }
  if (schema.type === 'array') return { ...listOf(open(schema.items)) } as NewSchema
  return schema.type === 'object' ? { type: 'object', ...ANY } : { type: schema.type }
}

const ANY = { 'x-kubernetes-preserve-unknown-fields': true }
