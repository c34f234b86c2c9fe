import { readFileSync } from 'node:fs'
import { BuiltinSchemas } from '../../../src/core/schema/builtin-schemas.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'

const BYTES = new URL('../../../src/core/schema/builtin-schemas.generated.bin', import.meta.url)

export function readSchemaBytes(): Uint8Array {
  return readFileSync(BYTES)
}

let decoded: BuiltinSchemas | undefined

/** The schemas of the built-in kinds, decoded once for all tests. */
export function builtinSchemas(): BuiltinSchemas {
  decoded ??= BuiltinSchemas.decode(readSchemaBytes())
  return decoded
}

export function builtinSchema(apiVersion: string, kind: string): Schema {
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  const schema = builtinSchemas().get({ group, version, kind })
  if (schema === undefined) throw new Error(`no built-in schema of ${apiVersion} ${kind}`)
  return schema
}

export function objectMetaSchema(): Schema {
  const schema = builtinSchemas().definition('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta')
  if (schema === undefined) throw new Error('no built-in schema of ObjectMeta')
  return schema
}
