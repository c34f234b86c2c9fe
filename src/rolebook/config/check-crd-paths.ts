import { getPath, isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import { nearestName } from '../../core/base/nearest-name.ts'
import { propertySchema, type Schema, type SchemaType } from '../../core/schema/schema.ts'
import { type Diagnostic, diagnosticAt } from '../../core/yaml/diagnostic.ts'
import type { Manifest } from './parse-manifests.ts'

/**
 * Paths of `subresources.scale` and of printer columns that lead to no field of the schema, or to one of another type. A server takes
 * such a CRD. Then `kubectl scale` fails, and the column stays empty.
 */
export function checkCrdPaths({ document, object }: Manifest): readonly Diagnostic[] {
  const versions = getPath(object.spec, ['versions'])
  return (isJsonArray(versions) ? versions : []).flatMap((version, index) => {
    const schema = getPath(version, ['schema', 'openAPIV3Schema'])
    if (!isJsonObject(schema)) return []
    return pathsIn(version).flatMap((one) => {
      const problem = problemWith(one, schema as Schema)
      if (problem === undefined) return []
      const range = document.locate(['spec', 'versions', index, ...one.place])
      return [diagnosticAt(range, { severity: 'warning', code: 'RB1321', ...problem })]
    })
  })
}

interface CrdPath {
  /** Where it stands in the version. */
  readonly place: JsonPath
  readonly written: string
  /** Absent: any type will do. */
  readonly type?: SchemaType
  readonly effect: string
}

const SCALE_PATHS = [
  { field: 'specReplicasPath', type: 'integer', effect: '`kubectl scale` cannot work' },
  { field: 'statusReplicasPath', type: 'integer', effect: 'an autoscaler always reads 0 replicas' },
  { field: 'labelSelectorPath', type: 'string', effect: 'an autoscaler finds no pods' },
] as const

function pathsIn(version: JsonValue): readonly CrdPath[] {
  const found = SCALE_PATHS.map(({ field, ...rest }) => ({ place: ['subresources', 'scale', field], ...rest }))
  const columns = getPath(version, ['additionalPrinterColumns'])
  const ofColumns = (isJsonArray(columns) ? columns : []).map((_, index) => {
    return { place: ['additionalPrinterColumns', index, 'jsonPath'], effect: 'the column stays empty' }
  })
  return [...found, ...ofColumns].flatMap((one) => {
    const written = getPath(version, one.place)
    return typeof written === 'string' ? [{ ...one, written }] : []
  })
}

/** Names alone, joined by dots. What else a JSONPath may hold is not followed. */
const PLAIN_PATH = /^(?:\.[A-Za-z_][\w-]*)+$/

/** What every object has, whatever its schema says. */
const COMMON: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

function problemWith({ written, type, effect }: CrdPath, root: Schema) {
  const [top = '', ...rest] = written.split('.').slice(1)
  if (!PLAIN_PATH.test(written) || COMMON.has(top)) return undefined
  let here = root
  for (const [index, name] of [top, ...rest].entries()) {
    const next = propertySchema(here, name)
    if (next === undefined) return isOpen(here) ? undefined : noField(written, index + 1, { here, effect })
    here = next
  }
  if (type === undefined || here.type === undefined || here.type === type) return undefined
  const wanted = type === 'integer' ? 'a whole number' : 'a text'
  return { message: `\`${written}\` is no ${type} in the schema: ${effect}`, hint: `name a field that holds ${wanted}` }
}

function noField(written: string, depth: number, { here, effect }: { readonly here: Schema; readonly effect: string }) {
  const names = written.split('.').slice(1)
  const path = names.slice(0, depth).join('.')
  const nearest = nearestName(names[depth - 1] ?? '', Object.keys(here.properties ?? {}))
  const meant = nearest === undefined ? undefined : ['', ...names.with(depth - 1, nearest)].join('.')
  const hint = meant === undefined ? 'add the field to the schema, or name another one' : `did you mean \`${meant}\`?`
  return { message: `the schema has no field \`${path}\`: ${effect}`, hint }
}

/** Whether there may be fields that the schema does not name. */
function isOpen(schema: Schema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true
}
