import { isJsonObject } from '../../../core/base/json.ts'
import { isKnownFormat } from '../../../core/schema/formats.ts'
import { additionalSchemaOf, type Schema } from '../../../core/schema/schema.ts'
import type { CustomResourceDefinition } from './custom-resource-definition.ts'

/** Warns of formats that the server does not know and that are new in the CRD. */
export function formatWarnings(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): readonly string[] {
  const known = new Set(old ? unknownFormats(old) : [])
  const added = new Set(unknownFormats(crd).filter((format) => !known.has(format)))
  return [...added].map((format) => `unrecognized format ${JSON.stringify(format)}`)
}

function unknownFormats({ spec }: CustomResourceDefinition): readonly string[] {
  return spec.versions.flatMap(({ schema }) => {
    const root = schema?.openAPIV3Schema
    return isJsonObject(root) ? formatsIn(root as Schema) : []
  })
}

function formatsIn(schema: Schema): readonly string[] {
  const { format = '', items, properties = {}, allOf = [], anyOf = [], oneOf = [], not } = schema
  const inner = [items, not, additionalSchemaOf(schema), ...allOf, ...anyOf, ...oneOf, ...Object.values(properties)]
  const own = format !== '' && !isRecognized(format, schema.type) ? [format] : []
  return [...own, ...inner.flatMap((one) => (one === undefined ? [] : formatsIn(one)))]
}

function isRecognized(format: string, type: Schema['type']): boolean {
  if (type === 'integer') return format === 'int32' || format === 'int64'
  if (type === 'number') return format === 'float' || format === 'double'
  return (type === undefined || type === 'string') && isKnownFormat(format)
}
