import { isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import { splitJinja } from './jinja/split-jinja.ts'
import { toJsonata } from './jinja/to-jsonata.ts'
import { type Jsonata, jsonata, operand, textLiteral } from './jsonata-text.ts'
import type { RoleNames } from './role-names.ts'
import { shapeOfType, shapeOfValue } from './shape.ts'
import { placed } from './undecided.ts'

export interface ValueOptions {
  readonly names: RoleNames
  /** Where the value stands in its file. */
  readonly path: JsonPath
  /** Whether a template alone yields text there: in quotes, within a template of lines. Defaults to no. */
  readonly isText?: ((path: JsonPath) => boolean) | undefined
}

/** A value with Jinja in it to the same with our expressions. @throws Undecided */
export function translateValue(value: JsonValue, options: ValueOptions): JsonValue {
  const { path } = options
  if (typeof value === 'string') return translateText(value, options)
  if (isJsonArray(value)) {
    return value.map((item, index) => translateValue(item, { ...options, path: [...path, index] }))
  }
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const inside = { ...options, path: [...path, key] }
      const name = translateText(key, { ...inside, isText: undefined })
      return [name, translateValue(inner as JsonValue, inside)]
    }),
  )
}

function translateText(text: string, { names, path, isText }: ValueOptions): string {
  const parts = placed({ path }, () => splitJinja(text))
  const alone = parts.length === 1
  return parts
    .map((part) => {
      if ('text' in part) return part.text.replaceAll('${', () => '$${')
      const value = placed({ path, offset: part.offset }, () => toJsonata(part.source, names))
      if (!alone && value.shape.type === 'boolean') {
        names.note('a boolean within text is `true` or `false` here, and was `True` or `False`')
      }
      const asText = alone && isText?.(path) && value.shape.type !== 'text'
      return asText ? `\${$string(${value.text})}` : `\${${value.text}}`
    })
    .join('')
}

/** A value with Jinja in it as one expression. @throws Undecided */
export function toExpression(value: JsonValue, names: RoleNames): Jsonata {
  if (typeof value === 'string') return textExpression(value, names)
  if (isJsonArray(value)) {
    const items = value.map((item) => toExpression(item, names).text)
    return jsonata(`[${items.join(', ')}]`, { shape: shapeOfType('list') })
  }
  if (!isJsonObject(value)) return jsonata(String(value), { shape: shapeOfValue(value), optional: value === null })
  const entries = Object.entries(value).map(([key, inner]) => {
    return `${textExpression(key, names).text}: ${toExpression(inner as JsonValue, names).text}`
  })
  return jsonata(`{${entries.join(', ')}}`, { shape: shapeOfType('map') })
}

function textExpression(text: string, names: RoleNames): Jsonata {
  const parts = splitJinja(text).map((part) =>
    'text' in part ? jsonata(textLiteral(part.text), { shape: shapeOfType('text') }) : toJsonata(part.source, names),
  )
  const [first, ...rest] = parts
  if (!first) return jsonata('""', { shape: shapeOfType('text') })
  if (rest.length === 0) return first
  return jsonata(parts.map(operand).join(' & '), { binds: 'loose', shape: shapeOfType('text') })
}
