import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  printPath,
} from '../../../core/base/json.ts'
import { additionalSchemaOf, isBuiltin, propertySchema, type Schema } from '../../../core/schema/schema.ts'
import type { Problem } from '../../../core/yaml/diagnostic.ts'
import { oneOf, type Type } from '../../expression/types/type.ts'
import { misplacedKeyHint } from '../parse/misplaced-modifiers.ts'
import { fitProblem, unknownField } from './check-fit.ts'
import { listHint } from './list-of-map.ts'
import { literalProblem } from './literal-problem.ts'
import { reportField } from './report-field.ts'
import { schemaType } from './schema-type.ts'
import type { TypeScope } from './type-scope.ts'
import type { TypedTexts } from './typed-texts.ts'

export interface ManifestCheck {
  readonly texts: TypedTexts
  readonly scope: TypeScope
  /** Whether fields that the schema requires must be there. */
  readonly complete: boolean
  /** The schema of the whole object. */
  readonly root: Schema | undefined
  /** Where messages begin to name places. */
  readonly base: JsonPath
}

/** Checks a part of a manifest, at `path` of the document, against the schema that the server has for it. */
export function checkManifest(
  value: JsonValue | undefined,
  schema: Schema | undefined,
  path: JsonPath,
  check: ManifestCheck,
): void {
  const { texts, scope } = check
  if (value === undefined || value === null) return
  if (typeof value === 'string') checkText(value, schema, path, check)
  else if (!isJsonArray(value) && !isJsonObject(value))
    report(texts.value(value, { path, scope }), schema, path, { ...check, literal: value })
  else if (!canHold(value, schema))
    report(texts.value(value, { path, scope }), schema, path, { ...check, ...(isJsonObject(value) && { map: value }) })
  else if (isJsonArray(value))
    for (const [index, item] of value.entries()) checkManifest(item, schema?.items, [...path, index], check)
  else checkObject(value as JsonObject, schema, path, check)
}

function canHold(value: JsonValue, schema: Schema | undefined): boolean {
  const { shapes } = schemaType(schema)
  const kind = isJsonArray(value) ? 'list' : 'object'
  return shapes === undefined || shapes.some((shape) => shape.kind === kind)
}

function checkText(text: string, schema: Schema | undefined, path: JsonPath, check: ManifestCheck): void {
  const { texts, scope } = check
  if (text.includes('${')) report(texts.text(text, { path, scope }), schema, path, { ...check, text })
  else report(oneOf([text]), schema, path, { ...check, text, literal: text })
}

/** What stands in the file. `text` and `map`: it is one; `literal`: it has no expression in it. */
interface WrittenValue {
  readonly text?: string
  readonly map?: JsonObject
  readonly literal?: JsonValue
}

function report(
  type: Type,
  schema: Schema | undefined,
  path: JsonPath,
  { texts, scope, base, root, text, map, literal }: ManifestCheck & WrittenValue,
): void {
  const found = fitProblem(type, schema, [], root)
  if (found === undefined) return
  if (found.field !== undefined) {
    reportField(found, found.field, { texts, scope, path, text, place: path.slice(base.length), root })
    return
  }
  if (map !== undefined) {
    texts.report(path, { ...found, hint: found.hint ?? listHint(map, schema ?? {}) })
    return
  }
  const written = literal === undefined ? undefined : texts.written(path)
  const problem = written === undefined ? found : literalProblem(found, { literal, written, schema })
  if (text === undefined) texts.report(path, problem)
  else texts.reportText(text, { path, scope }, problem)
}

function checkObject(object: JsonObject, schema: Schema | undefined, path: JsonPath, check: ManifestCheck): void {
  const { texts, scope, base, root } = check
  const written = Object.keys(object)
  for (const [key, value] of Object.entries(object)) {
    const place = [...path, key]
    const isComputed = key.includes('${')
    if (isComputed) texts.text(key, { path: place, scope, at: 'key' })
    const around = { path: path.slice(base.length), root, written }
    const problem = isComputed || schema === undefined ? undefined : unknownField(key, schema, around)
    if (problem) texts.report(place, path.length === base.length ? ofTask(key, problem, path) : problem, 'key')
    const field = schema && (isComputed ? additionalSchemaOf(schema) : propertySchema(schema, key))
    checkManifest(value, field, place, check)
  }
  if (check.complete && schema !== undefined) checkRequired(object, schema, path, check)
}

/** A key of the task that was written one level too deep. */
function ofTask(key: string, problem: Problem, path: JsonPath): Problem {
  const hint = misplacedKeyHint(key, String(path.at(-1)))
  return hint === undefined ? problem : { ...problem, severity: 'error', hint }
}

/** Required by the documents of the server, and yet accepted when they are missing. */
const NOT_REALLY_REQUIRED: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'status',
  'ControllerRevision.revision',
  'CSIDriver.spec',
  'CSINodeSpec.drivers',
  'CustomResourceDefinitionVersion.served',
  'CustomResourceDefinitionVersion.storage',
  'Event.eventTime',
  'Event.involvedObject',
  'EventSeries.count',
  'EventSeries.lastObservedTime',
  'HTTPHeader.value',
  'ISCSIPersistentVolumeSource.lun',
  'ISCSIVolumeSource.lun',
  'LimitRangeSpec.limits',
  'SleepAction.seconds',
])

function isReallyRequired({ definition = '' }: Schema, name: string): boolean {
  const struct = definition.slice(definition.lastIndexOf('.') + 1)
  return !NOT_REALLY_REQUIRED.has(name) && !NOT_REALLY_REQUIRED.has(`${struct}.${name}`)
}

function checkRequired(object: JsonObject, schema: Schema, path: JsonPath, { texts, base }: ManifestCheck): void {
  if (Object.keys(object).some((key) => key.includes('${'))) return
  for (const name of Array.isArray(schema.required) ? schema.required : []) {
    const isGiven = object[name] !== undefined && object[name] !== null
    // What a built-in kind calls a default is the zero of its type, which the server refuses.
    const hasDefault = !isBuiltin(schema) && schema.properties?.[name]?.default !== undefined
    if (isGiven || hasDefault || !isReallyRequired(schema, name)) continue
    const place = path.slice(base.length)
    const where = place.length === 0 ? '' : ` in \`${printPath(place)}\``
    texts.report(
      path,
      { code: 'RB1131', message: `the field \`${name}\` is missing${where}`, hint: 'the server requires it' },
      'key',
    )
  }
}
