import { isJsonArray, isJsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: '', version: 'v1', kind: 'ServiceAccount' }

export const serviceAccount: KindRules = {
  gvk,
  prepareForCreate: withNamesOfSecrets,
  prepareForUpdate: withNamesOfSecrets,
  columns: columnsOf(gvk),
}

/** References to secrets keep nothing but the name. */
function withNamesOfSecrets(object: KubeObject): KubeObject {
  if (!isJsonArray(object.secrets)) return object
  return { ...object, secrets: object.secrets.map((secret) => (isJsonObject(secret) ? nameOf(secret.name) : secret)) }
}

function nameOf(name: unknown): { readonly name?: string } {
  return typeof name === 'string' ? { name } : {}
}
