import { type JsonPath, printPath } from '../../../core/base/json.ts'
import { nearestName } from '../../../core/base/nearest-name.ts'
import { isOpen } from '../../../core/schema/navigate.ts'
import { isBuiltin, propertySchema, type Schema } from '../../../core/schema/schema.ts'
import type { Problem } from '../../../core/yaml/diagnostic.ts'
import { canBe, describeType, isAlways, type ObjectType, type Type } from '../../expression/types/type.ts'
import { otherPlaceHint } from './other-place.ts'
import { schemaType } from './schema-type.ts'

/** What does not fit. */
export interface Misfit extends Problem {
  /** The field that it is about, within the value: whole values say nothing of one. */
  readonly field?: MisfitField | undefined
}

export interface MisfitField {
  /** The innermost object that has the field. */
  readonly object: ObjectType
  readonly name: string
  /** Of the object. */
  readonly schema: Schema
  /** From the value to the field. */
  readonly path: JsonPath
}

/** How deep a value is compared with the schema that it must meet. */
const DEEPEST = 8

/**
 * Why a value of this type can never be what a schema wants, if that is known. `undefined`: it may be right.
 *
 * `root` is the schema of the object that it is part of.
 */
export function fitProblem(
  type: Type,
  schema: Schema | undefined,
  path: JsonPath = [],
  root: Schema = schema ?? {},
): Misfit | undefined {
  if (schema === undefined || type.shapes === undefined || path.length > DEEPEST) return undefined
  const wanted = schemaType(schema)
  if (wanted.shapes === undefined || type.shapes.length === 0) return undefined
  const isList = isAlways(wanted, 'list')
  if (!canBe(type, ...wanted.shapes.map(({ kind }) => kind))) return mismatch(type, { wanted, path, schema, root })
  if (isList && type.collapses) return collapse(path)
  return textProblem(type, { wanted, isSure: !isBuiltin(root), path }) ?? innerProblem(type, schema, { path, root })
}

interface Mismatch {
  readonly wanted: Type
  readonly path: JsonPath
  readonly schema: Schema
  readonly root: Schema
}

function mismatch(type: Type, { wanted, path, schema, root }: Mismatch): Problem {
  const message = `${placed(path, describeType(type))}, where ${describeType(wanted)} is wanted`
  if (!isAlways(wanted, 'list')) return { code: 'RB1221', message, hint: hintFor(type, wanted) }
  const fitsItem = fitProblem(type, schema.items, [], root) === undefined
  return { code: 'RB1221', message, hint: fitsItem ? LIST_OF_ONE : undefined }
}

const LIST_OF_ONE = 'write `${[ … ]}` for a list of one'

function hintFor(type: Type, wanted: Type): string | undefined {
  if (isAlways(type, 'boolean') && valuesOf(wanted)?.includes('True')) return TRUE_OR_FALSE
  if (isAlways(wanted, 'text') && isAlways(type, 'number', 'boolean')) return 'write `${$string(…)}` for its text'
  if (isAlways(wanted, 'number') && isAlways(type, 'text')) return 'write `${$number(…)}` for its number'
  return undefined
}

/** The texts of the status of a condition begin with capital letters. */
const TRUE_OR_FALSE = 'write `${… ? "True" : "False"}`'

/** `this is text`, or `ports[0].port is text`. */
function placed(path: JsonPath, what: string): string {
  return `${path.length === 0 ? 'this' : `\`${printPath(path)}\``} is ${what}`
}

function collapse(path: JsonPath): Problem {
  const where = path.length === 0 ? 'this' : `\`${printPath(path)}\``
  const message = `${where} is not a list when there is only one item, and a list is wanted`
  return { code: 'RB1222', message, hint: 'write `${[ … ]}` around it' }
}

interface Comparison {
  readonly wanted: Type
  /** Whether the schema is that of the server, and not of one that may be older. */
  readonly isSure: boolean
  readonly path: JsonPath
}

/** A text that is none of those allowed. A newer server may allow more than a built-in schema knows. */
function textProblem(type: Type, { wanted, isSure, path }: Comparison): Problem | undefined {
  const [given, allowed] = [valuesOf(type), valuesOf(wanted)]
  if (given === undefined || allowed === undefined || given.some((text) => allowed.includes(text))) return undefined
  const message = `${placed(path, given.map((one) => `"${one}"`).join(' or '))}, which is none of ${allowed.join(', ')}`
  if (isOfBoolean(given) && allowed.includes('True')) return { code: 'RB1221', message, hint: TRUE_OR_FALSE }
  const nearest = nearestName(given[0] as string, allowed)
  if (nearest === undefined && !isSure) return undefined
  return { code: 'RB1221', message, hint: nearest === undefined ? undefined : `did you mean "${nearest}"?` }
}

/** What `$string` makes of true or false. */
function isOfBoolean(texts: readonly string[]): boolean {
  return texts.length === 2 && texts.includes('true') && texts.includes('false')
}

function valuesOf({ shapes = [] }: Type): readonly string[] | undefined {
  const [only] = shapes
  return shapes.length === 1 && only?.kind === 'text' ? only.values : undefined
}

interface Within {
  readonly path: JsonPath
  readonly root: Schema
}

/** What is wrong within a list or an object. Where there are several forms, nothing is sure. */
function innerProblem({ shapes = [] }: Type, schema: Schema, { path, root }: Within): Misfit | undefined {
  const [only] = shapes
  if (shapes.length !== 1 || only === undefined) return undefined
  if (only.kind === 'list') return fitProblem(only.item, schema.items, [...path, 0], root)
  return only.kind === 'object' ? fieldProblem(only.object, schema, { path, root }) : undefined
}

function fieldProblem(object: ObjectType, schema: Schema, { path, root }: Within): Misfit | undefined {
  for (const name of object.names()) {
    const field = propertySchema(schema, name)
    const problem = field
      ? fitProblem(object.field(name) as Type, field, [...path, name], root)
      : unknownIn(object, name, schema, { path, root })
    if (problem) return { field: { object, name, schema, path: [...path, name] }, ...problem }
  }
  return undefined
}

/** An object that an expression has computed may have more fields than are used. */
function unknownIn(object: ObjectType, name: string, schema: Schema, within: Within): Misfit | undefined {
  return object.written ? unknownField(name, schema, { ...within, written: object.names() }) : undefined
}

interface FieldPlace {
  readonly path: JsonPath
  /** The schema of the whole object. */
  readonly root?: Schema | undefined
  /** The keys that stand beside it. */
  readonly written?: readonly string[] | undefined
}

/** What is wrong with a key of a manifest. */
export function unknownField(
  name: string,
  schema: Schema,
  { path, root = {}, written = [] }: FieldPlace,
): Problem | undefined {
  const names = Object.keys(schema.properties ?? {})
  if (names.length === 0 || isOpen(schema) || propertySchema(schema, name) !== undefined) return undefined
  const nearest = nearestName(name, names)
  const severity = isBuiltin(schema) && nearest === undefined ? 'warning' : 'error'
  const where = path.length === 0 ? '' : ` in \`${printPath(path)}\``
  const elsewhere = (): string | undefined => otherPlaceHint(name, { schema, root, path, written })
  const hint = nearest === undefined ? (elsewhere() ?? `there are ${someOf(names)}`) : `did you mean \`${nearest}\`?`
  return { severity, code: 'RB1130', message: `there is no field \`${name}\`${where}`, hint }
}

const MOST_NAMES = 8

function someOf(names: readonly string[]): string {
  return `${names.slice(0, MOST_NAMES).join(', ')}${names.length > MOST_NAMES ? ', …' : ''}`
}
