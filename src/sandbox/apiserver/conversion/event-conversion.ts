import type { JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { VersionConversion } from '../served-resource.ts'

/** Fields of a core Event and what `events.k8s.io` calls them. */
const NAMES = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
] as const

const TO_NEW: ReadonlyMap<string, string> = new Map(NAMES)
const TO_CORE: ReadonlyMap<string, string> = new Map(NAMES.map(([core, renamed]) => [renamed, core]))

/** Events are stored in the core form. */
export const eventConversion: VersionConversion = {
  fromStorage: (object) => rename(object, TO_NEW, 'events.k8s.io/v1'),
  toStorage: (object) => ({ source: {}, involvedObject: {}, firstTimestamp: null, ...rename(object, TO_CORE, 'v1') }),
}

function rename(object: KubeObject, names: ReadonlyMap<string, string>, apiVersion: string): KubeObject {
  const entries = Object.entries(object).map(([name, value]): [string, JsonValue | undefined] => [
    names.get(name) ?? name,
    value as JsonValue | undefined,
  ])
  return { ...(Object.fromEntries(entries) as KubeObject), apiVersion }
}
