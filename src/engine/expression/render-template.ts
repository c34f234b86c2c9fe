import { isJsonArray, isJsonObject, type JsonPath, type JsonValue, printPath } from '../../core/base/json.ts'
import type { Bindings, Expression } from './compile-expression.ts'
import { dropNulls } from './drop-nulls.ts'
import { ExpressionError, MissingValueError } from './expression-error.ts'
import { namePlace } from './name-place.ts'

/** A place of a compiled template. */
export type TemplateNode =
  | { readonly kind: 'literal'; readonly value: JsonValue }
  | { readonly kind: 'list'; readonly items: readonly TemplateNode[] }
  | { readonly kind: 'object'; readonly fields: readonly TemplateField[]; readonly path: JsonPath }
  | { readonly kind: 'text'; readonly parts: TextParts; readonly path: JsonPath }
  | {
      readonly kind: 'value'
      readonly expression: Expression
      readonly path: JsonPath
      needsValue(path: JsonPath): boolean
    }

export interface TemplateField {
  readonly key: TextParts
  readonly path: JsonPath
  readonly value: TemplateNode
}

type TextParts = readonly (string | Expression)[]

/**
 * Fills a template in. What is null or missing is left out, with its key or as an item of a list.
 *
 * @throws MissingValueError for a missing value that is needed: so declared, a key, or part of a text
 * @throws ExpressionError
 */
export function renderTemplate(node: TemplateNode, bindings: Bindings): JsonValue | undefined {
  switch (node.kind) {
    case 'literal':
      return node.value ?? undefined
    case 'list':
      return node.items.map((item) => renderTemplate(item, bindings)).filter((item) => item !== undefined)
    case 'object':
      return renderObject(node, bindings)
    case 'text':
      return renderText(node.parts, node.path, bindings)
    default:
      return renderValue(node, bindings)
  }
}

function renderObject(node: TemplateNode & { kind: 'object' }, bindings: Bindings): JsonValue {
  const rendered: { [key: string]: JsonValue } = {}
  for (const field of node.fields) {
    const value = renderTemplate(field.value, bindings)
    if (value === undefined) continue
    const key = renderText(field.key, field.path, bindings)
    if (Object.hasOwn(rendered, key))
      throw refuse('E1302', `two keys of ${printPath(node.path) || 'the object'} are the same`, node.path)
    if (key === '__proto__') throw refuse('E1008', 'the key __proto__ is not allowed', field.path)
    rendered[key] = value
  }
  return rendered
}

function renderText(parts: TextParts, path: JsonPath, bindings: Bindings): string {
  let text = ''
  for (const part of parts) text += typeof part === 'string' ? part : renderPart(part, path, bindings)
  return text
}

function renderPart(expression: Expression, path: JsonPath, bindings: Bindings): string {
  const value = namePlace(printPath(path), () => expression.evaluate(bindings))
  if (value === undefined || value === null) throw new MissingValueError(path, expression)
  if (typeof value === 'string') return value
  if (typeof value !== 'object') return JSON.stringify(value)
  const what = isJsonArray(value) ? 'a list' : 'an object'
  throw refuse(
    'E1301',
    `${printPath(path)} is text, and one of its expressions yields ${what}: use $join, $string or $toJson`,
    path,
  )
}

function renderValue(node: TemplateNode & { kind: 'value' }, bindings: Bindings): JsonValue | undefined {
  const value = namePlace(printPath(node.path), () => node.expression.evaluate(bindings))
  const missing = pathOfNeededNull(value, node.path, node)
  if (missing !== undefined) throw new MissingValueError(missing, node.expression)
  return dropNulls(value)
}

/** The path of the first null, or of the value itself when it is nothing, where a value is needed. */
function pathOfNeededNull(
  value: JsonValue | undefined,
  path: JsonPath,
  node: { needsValue(path: JsonPath): boolean },
): JsonPath | undefined {
  if (value === undefined || value === null) return node.needsValue(path) ? path : undefined
  if (!isJsonObject(value) && !isJsonArray(value)) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const missing = pathOfNeededNull(inner, [...path, isJsonArray(value) ? Number(key) : key], node)
    if (missing !== undefined) return missing
  }
  return undefined
}

function refuse(code: string, message: string, path: JsonPath): ExpressionError {
  return new ExpressionError('evaluation', code, message, { field: printPath(path) })
}
