import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { Schema } from '../../../core/schema/schema.ts'
import { schemaStruct } from '../../../core/schema/schema-struct.ts'

/** Versions as the real server prints them: the structs that it keeps them in. */
export function versionStructs(versions: readonly JsonObject[]): JsonValue {
  return versions.map((version) => ({
    Name: version.name ?? '',
    Served: version.served === true,
    Storage: version.storage === true,
    Deprecated: version.deprecated === true,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: validationStruct(version.schema),
    Subresources: subresourcesStruct(version.subresources),
    AdditionalPrinterColumns: listOf(version.additionalPrinterColumns, columnStruct),
    SelectableFields: listOf(version.selectableFields, ({ jsonPath }) => ({ JSONPath: jsonPath ?? '' })),
  }))
}

function validationStruct(value: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value)) return null
  const { openAPIV3Schema: schema } = value
  return { OpenAPIV3Schema: isJsonObject(schema) ? schemaStruct(schema as Schema) : null }
}

function subresourcesStruct(value: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value)) return null
  const { status = null, scale } = value
  return { Status: status, Scale: isJsonObject(scale) ? scaleStruct(scale) : null }
}

function scaleStruct({ specReplicasPath, statusReplicasPath, labelSelectorPath }: JsonObject): JsonObject {
  return {
    SpecReplicasPath: specReplicasPath ?? '',
    StatusReplicasPath: statusReplicasPath ?? '',
    LabelSelectorPath: labelSelectorPath ?? null,
  }
}

function columnStruct({ name, type, format, description, priority, jsonPath }: JsonObject): JsonObject {
  return {
    Name: name ?? '',
    Type: type ?? '',
    Format: format ?? '',
    Description: description ?? '',
    Priority: priority ?? 0,
    JSONPath: jsonPath ?? '',
  }
}

function listOf(list: JsonValue | undefined, print: (item: JsonObject) => JsonObject): JsonValue {
  return isJsonArray(list) ? list.map((item) => print(isJsonObject(item) ? item : {})) : null
}
