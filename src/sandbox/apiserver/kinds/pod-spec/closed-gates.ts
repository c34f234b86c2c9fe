import { getPath, isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { mapField, mapItems, setPath, without } from '../common/fields.ts'
import type { KindRules } from '../kind-rules.ts'
import { podSpecPathOf } from './pod-spec-path.ts'

const LISTS = ['containers', 'initContainers', 'ephemeralContainers']
const CLOSED_SOURCES = ['clusterTrustBundle', 'podCertificate']

/**
 * The rules of a kind, with fields of pods dropped that are behind gates which are closed: they belong to who wrote them,
 * and are not stored.
 */
export function withClosedGates(rules: KindRules): KindRules {
  const path = podSpecPathOf(rules.gvk.kind)
  if (path === undefined) return rules
  const { prepareForCreate, prepareForUpdate } = rules
  const drop = (object: KubeObject): KubeObject => {
    const spec = getPath(object as JsonObject, path)
    const dropped = isJsonObject(spec) ? withoutClosed(spec) : spec
    return dropped === spec ? object : setPath(object, path, dropped)
  }
  return {
    ...rules,
    prepareForCreate: (object, context) => {
      const dropped = drop(object)
      return prepareForCreate ? prepareForCreate(dropped, context) : dropped
    },
    prepareForUpdate: (object, old, context) => {
      const dropped = drop(object)
      return prepareForUpdate ? prepareForUpdate(dropped, old, context) : dropped
    },
  }
}

function withoutClosed(given: JsonObject): JsonObject {
  let spec = without(given, ['schedulingGroup'])
  for (const list of LISTS) spec = mapItems(spec, list, withoutStopSignal)
  return mapItems(spec, 'volumes', (volume) =>
    mapField(volume, 'projected', (projected) =>
      mapItems(projected, 'sources', (source) => without(source, CLOSED_SOURCES)),
    ),
  )
}

/** Hooks that say nothing else go with it. */
function withoutStopSignal(container: JsonObject): JsonObject {
  const { lifecycle } = container
  if (!isJsonObject(lifecycle) || lifecycle.stopSignal === undefined) return container
  const hooks = without(lifecycle, ['stopSignal'])
  return Object.keys(hooks).length === 0 ? without(container, ['lifecycle']) : { ...container, lifecycle: hooks }
}
