import type { JsonObject, JsonValue } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import type { KindRules } from '../kind-rules.ts'

type Strategy = Pick<KindRules, 'prepareForCreate' | 'prepareForUpdate' | 'prepareForStatusUpdate' | 'resetFields'>

/** Kinds with `/status`: the main endpoint ignores the status, `/status` the spec. `initial` is the status at birth. */
export function specAndStatus(initial: JsonValue = {}): Required<Strategy> {
  return {
    prepareForCreate: (object) => ({ ...object, status: initial }),
    prepareForUpdate: keepStatus,
    prepareForStatusUpdate: (object, old) => keepField(object, old, 'spec'),
    resetFields: { main: [['status']], status: [['spec']] },
  }
}

export function keepStatus(object: KubeObject, old: KubeObject): KubeObject {
  return keepField(object, old, 'status')
}

/** The object with one field as it was. */
export function keepField(object: KubeObject, old: KubeObject, field: string): KubeObject {
  return { ...object, [field]: old[field] }
}

export function withoutField<T extends JsonObject>(object: T, field: string): T {
  const { [field]: _dropped, ...rest } = object
  return rest as T
}

/** The object with parts of its metadata replaced. */
export function withMetadata(object: KubeObject, change: JsonObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, ...change } }
}
