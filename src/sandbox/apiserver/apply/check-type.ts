import { explain } from '../../../core/base/coded-error.ts'
import { isJsonArray, isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import { chosenShape, itemElement, possibleShapes } from '../../../core/schema/list-type.ts'
import type { ListType, MapType, MergeType, ScalarType } from '../../../core/schema/merge-type.ts'
import { fieldElement, type PathElement, printPathElement } from '../../../core/schema/path-element.ts'
import { shapeOf, type ValueShape } from '../../../core/schema/value-shape.ts'
import { goTypeOf, goValue } from './go-format.ts'

export interface TypeCheckOptions {
  /** Whether items of sets and maps may occur more than once, as in live objects. */
  readonly allowDuplicates: boolean
}

interface TypeError {
  readonly path: string
  readonly message: string
}

/** What keeps a value from being merged as a type, in the words of the server; `undefined` when it fits. */
export function checkType(value: JsonValue, type: MergeType, options: TypeCheckOptions): string | undefined {
  const fitting = options.allowDuplicates ? fittingAsLive : fittingOnce
  const shape = shapeOf(value, type)
  if (shape !== undefined && fitting.has(shape)) return undefined
  const errors = checkValue(value, type, options)
  if (errors.length > 0) return printErrors(errors)
  if (shape !== undefined) fitting.add(shape)
  return undefined
}

/** Shapes of values that were found to fit, duplicates allowed and not: the states of an object mostly have the same. */
const fittingAsLive = new WeakSet<ValueShape>()
const fittingOnce = new WeakSet<ValueShape>()

function printErrors(errors: Errors): string {
  const texts = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  if (texts.length === 1) return texts.join()
  return ['errors:', ...texts.map((text) => `  ${text}`)].join('\n')
}

type Errors = readonly TypeError[]

function checkValue(value: JsonValue, type: MergeType, options: TypeCheckOptions): Errors {
  const shape = chosenShape(possibleShapes(type, value))
  if (shape === 'map' && type.map !== undefined) return checkMap(value, type.map, options)
  if (shape === 'scalar' && type.scalar !== undefined) return checkScalar(value, type.scalar)
  return type.list === undefined ? [] : checkList(value, type.list, options)
}

function checkScalar(value: JsonValue, type: ScalarType): Errors {
  if (value === null) return []
  switch (type) {
    case 'numeric':
      return typeof value === 'number' ? [] : problem(`expected numeric (int or float), got ${goTypeOf(value)}`)
    case 'string':
      return typeof value === 'string' ? [] : problem(`expected string, got ${goValue(value, 'syntax')}`)
    case 'boolean':
      return typeof value === 'boolean' ? [] : problem(`expected boolean, got ${goValue(value, 'plain')}`)
    case 'untyped':
      return typeof value === 'object' ? problem(`expected any scalar, got ${goValue(value, 'plain')}`) : []
  }
}

function checkMap(value: JsonValue, type: MapType, options: TypeCheckOptions): Errors {
  if (value === null) return []
  if (!isJsonObject(value)) return problem(`expected map, got ${goValue(value, 'plain')}`)
  const errors: TypeError[] = []
  for (const [name, inner] of Object.entries(value)) {
    const element = fieldElement(name)
    const innerType = type.field(name)
    if (innerType === undefined) return [...errors, ...beneath(element, problem('field not declared in schema'))]
    if (inner !== undefined) errors.push(...beneath(element, checkValue(inner, innerType, options)))
  }
  return errors
}

function checkList(value: JsonValue, type: ListType, options: TypeCheckOptions): Errors {
  if (value === null) return []
  if (!isJsonArray(value)) return problem(`expected list, got ${goValue(value, 'plain')}`)
  const errors: TypeError[] = []
  const seen = new Set<PathElement>()
  for (const [index, item] of value.entries()) {
    const element = elementOf(type, item, index)
    if (typeof element !== 'string') return [...errors, element]
    if (seen.has(element) && !options.allowDuplicates) {
      errors.push(...problem(`duplicate entries for key ${printPathElement(element)}`))
    }
    seen.add(element)
    errors.push(...beneath(element, checkValue(item, type.element, options)))
  }
  return errors
}

function elementOf(type: ListType, item: JsonValue, index: number): PathElement | TypeError {
  if (type.kind === 'atomic') return `i:${index}`
  try {
    return itemElement(type, item)
  } catch (error) {
    return { path: '', message: `element ${index}: ${explain(error)}` }
  }
}

function problem(message: string): Errors {
  return [{ path: '', message }]
}

function beneath(element: PathElement, errors: Errors): Errors {
  if (errors.length === 0) return errors
  const prefix = printPathElement(element)
  return errors.map(({ path, message }) => ({ path: prefix + path, message }))
}
