import { isJsonArray, isJsonObject, type JsonObject } from '../../../core/base/json.ts'

const UI = 'urn:alm:descriptor:com.tectonic.ui'

/** Fields deeper than that are for people who write YAML. */
const MAX_DEPTH = 3

/** How a console shows the fields of `spec` or `status`, from their schema: each that is not an object of its own. */
export function descriptorsOf(schema: JsonObject | undefined): readonly JsonObject[] {
  return schema === undefined ? [] : fieldsIn(schema, []).map(([path, field]) => descriptorOf(path, field))
}

type Field = readonly [path: readonly string[], schema: JsonObject]

function fieldsIn({ properties }: JsonObject, above: readonly string[]): readonly Field[] {
  const fields = isJsonObject(properties) ? Object.entries(properties) : []
  return fields.flatMap(([name, field]): readonly Field[] => {
    if (!isJsonObject(field)) return []
    const path = [...above, name]
    return isJsonObject(field.properties) && path.length < MAX_DEPTH ? fieldsIn(field, path) : [[path, field]]
  })
}

function descriptorOf(path: readonly string[], schema: JsonObject): JsonObject {
  const shown = shownAs(path, schema)
  return {
    path: path.join('.'),
    displayName: path.map(inWords).join(': '),
    ...(typeof schema.description === 'string' && { description: schema.description }),
    ...(shown.length > 0 && { 'x-descriptors': shown }),
  }
}

/** `appImage` as `App Image`. */
export function inWords(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const BY_TYPE: Readonly<Record<string, string>> = {
  boolean: `${UI}:booleanSwitch`,
  integer: `${UI}:number`,
  number: `${UI}:number`,
  string: `${UI}:text`,
}

function shownAs(path: readonly string[], { type, enum: choices }: JsonObject): readonly string[] {
  if (path.join('.') === 'conditions') return ['urn:alm:descriptor:io.kubernetes.conditions']
  if (path.at(-1) === 'resources' && type === 'object') return [`${UI}:resourceRequirements`]
  if (isJsonArray(choices)) return choices.map((choice) => `${UI}:select:${String(choice)}`)
  const shown = BY_TYPE[String(type)]
  return shown === undefined ? [] : [shown]
}
