import type { JsonObject, JsonPath, JsonValue } from '../../../core/base/json.ts'
import { didYouMean } from '../../../core/base/nearest-name.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { containersOf, listAt, type OwnObjects, objectAt, type PodTemplate, templatesOf } from './own-objects.ts'
import type { DanglingReference, ReferenceRule } from './reference-rule.ts'

/** A key of a ConfigMap or a Secret that a Pod wants. */
interface WantedKey {
  readonly kind: 'ConfigMap' | 'Secret'
  readonly name: JsonValue | undefined
  readonly key: JsonValue | undefined
  /** Of the key. */
  readonly path: JsonPath
}

/** Keys that Pods want of ConfigMaps and Secrets which the role makes itself. */
export const keysOfConfiguration: ReferenceRule = (object, own) =>
  templatesOf(object)
    .flatMap((template) => [...keysOfEnvironment(template), ...keysOfVolumes(template)])
    .flatMap((wanted) => danglingKey(wanted, object, own))

function danglingKey(
  { kind, name, key, path }: WantedKey,
  from: KubeObject,
  own: OwnObjects,
): readonly DanglingReference[] {
  const source = own.find(kind, name, from)
  if (!source || typeof key !== 'string') return []
  const keys = ['data', 'stringData', 'binaryData'].flatMap((field) =>
    Object.keys(objectAt(source as JsonObject, [field])),
  )
  if (keys.includes(key)) return []
  const there = keys.length === 0 ? 'it has no keys' : `there is ${keys.join(', ')}`
  return [{ path, message: `the ${kind} "${name}" has no key "${key}"`, hint: didYouMean(key, keys) ?? there }]
}

function keysOfEnvironment(template: PodTemplate): readonly WantedKey[] {
  return containersOf(template).flatMap(({ path, value }) =>
    listAt(value, ['env']).flatMap(({ valueFrom }, index) =>
      Object.entries({ configMapKeyRef: 'ConfigMap', secretKeyRef: 'Secret' } as const).flatMap(([field, kind]) => {
        const { name, key, optional } = objectAt(valueFrom, [field])
        return optional === true ? [] : [{ kind, name, key, path: [...path, 'env', index, 'valueFrom', field, 'key'] }]
      }),
    ),
  )
}

function keysOfVolumes({ path, spec }: PodTemplate): readonly WantedKey[] {
  return listAt(spec, ['volumes']).flatMap((volume, index) =>
    Object.entries({ configMap: 'ConfigMap', secret: 'Secret' } as const).flatMap(([field, kind]) => {
      const { name, secretName, items = [], optional } = objectAt(volume, [field])
      if (optional === true) return []
      return listAt(items, []).map(({ key }, item) => ({
        kind,
        name: field === 'secret' ? secretName : name,
        key,
        path: [...path, 'spec', 'volumes', index, field, 'items', item, 'key'],
      }))
    }),
  )
}
