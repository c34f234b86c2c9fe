import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { Changes } from '../../../core/schema/changes.ts'
import { columnsOf } from './common/columns.ts'
import { itemsAt, mapField, mapItems, objectAt, sortedEntries, textAt, without } from './common/fields.ts'
import { withMetadata } from './common/strategies.ts'
import { validateSlice } from './devices/slice-validation.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'resource.k8s.io', version: 'v1', kind: 'ResourceSlice' }

const specText = (field: string) => (object: KubeObject) => textAt(objectAt(object, 'spec'), field)

/** Devices that a driver offers, on a node or for several. */
export const resourceSlice: KindRules = {
  gvk,
  keepsEmpty: true,
  prepareForCreate: (object, { now }) => withoutClosedGates(withTaintTimes(object, now), undefined),
  prepareForUpdate: (object, old, { now, stored }) => countDropped(withTaintTimes(object, now), old, stored),
  validate: (object, old) => validateSlice(objectAt(object, 'spec'), old && objectAt(old, 'spec')),
  warnings: ({ spec }) => warningsOf(textAt(spec as JsonObject, 'driver')),
  generationFields: [['spec']],
  fieldSelectors: { 'spec.nodeName': specText('nodeName'), 'spec.driver': specText('driver') },
  columns: columnsOf(gvk, {
    Node: specText('nodeName'),
    Driver: specText('driver'),
    Pool: (object) => textAt(objectAt(objectAt(object, 'spec'), 'pool'), 'name'),
  }),
}

/** Of an attribute: what is behind a gate that is closed. */
const LISTS = ['bools', 'ints', 'strings', 'versions']

/** Fields behind gates that are closed are dropped, but where the slice has used them before. */
function withoutClosedGates(object: KubeObject, old: KubeObject | undefined): KubeObject {
  const before = itemsAt(objectAt(old, 'spec'), 'devices')
  const usesMappings = before.some((device) => sortedEntries(objectAt(device, MAPPINGS)).length > 0)
  const usesLists = before.some((device) => attributesOf(device).some(([, value]) => hasAny(value, LISTS)))
  return mapField(object, 'spec', (spec) =>
    mapItems(spec, 'devices', (device) => {
      const withMappings = usesMappings ? device : without(device, [MAPPINGS])
      return usesLists ? withMappings : mapField(withMappings, 'attributes', withoutLists)
    }),
  )
}

/** What is dropped is a change all the same. */
function countDropped(given: KubeObject, old: KubeObject, stored: (object: KubeObject) => KubeObject): KubeObject {
  const object = withoutClosedGates(given, old)
  const isChanged = (each: KubeObject): boolean => !jsonEquals(objectAt(stored(each), 'spec'), objectAt(old, 'spec'))
  if (object === given || !isChanged(given) || isChanged(object)) return object
  return withMetadata(object, { generation: (old.metadata.generation ?? 0) + 1 })
}

const MAPPINGS = 'nodeAllocatableResourceMappings'

function attributesOf(device: JsonObject): readonly (readonly [string, JsonValue])[] {
  return sortedEntries(objectAt(device, 'attributes'))
}

function withoutLists(attributes: JsonObject): JsonObject {
  const changes = new Changes(attributes)
  for (const [name, value] of sortedEntries(attributes)) {
    if (isJsonObject(value)) changes.set(name, without(value, LISTS))
  }
  return changes.result()
}

function hasAny(value: JsonValue, names: readonly string[]): boolean {
  return isJsonObject(value) && names.some((name) => value[name] !== undefined)
}

function warningsOf(driver: string): readonly string[] {
  const text = `driver names should be lowercase; ${JSON.stringify(driver)} contains uppercase characters`
  return driver === driver.toLowerCase() ? [] : [`spec.driver: ${text}`]
}

function withTaintTimes(object: KubeObject, now: number): KubeObject {
  const timeAdded = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')
  return mapField(object, 'spec', (spec) =>
    mapItems(spec, 'devices', (device) =>
      mapItems(device, 'taints', (taint) => (taint.timeAdded === undefined ? { ...taint, timeAdded } : taint)),
    ),
  )
}
