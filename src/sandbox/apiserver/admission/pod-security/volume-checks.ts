import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { itemsAt, textAt } from '../../kinds/common/fields.ts'
import { type Check, type CheckPod, plural, quoted, sortedSet } from './check.ts'

const hostPaths: CheckPod = ({ spec }) => {
  const bad = itemsAt(spec, 'volumes').filter((volume) => isJsonObject(volume.hostPath))
  if (bad.length === 0) return undefined
  return { reason: 'hostPath volumes', detail: volumesText(bad) }
}

const ALLOWED = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]

const restrictedVolumes: CheckPod = ({ spec }) => {
  const bad = itemsAt(spec, 'volumes').filter((volume) => !ALLOWED.some((name) => isJsonObject(volume[name])))
  if (bad.length === 0) return undefined
  const types = sortedSet(bad.flatMap(typesOf))
  const what = `${bad.length === 1 ? 'uses' : 'use'} ${plural(types.length, 'restricted volume type')}`
  return { reason: 'restricted volume types', detail: `${volumesText(bad)} ${what} ${quoted(types)}` }
}

function volumesText(volumes: readonly JsonObject[]): string {
  return `${plural(volumes.length, 'volume')} ${quoted(volumes.map((volume) => textAt(volume, 'name')))}`
}

/** The one source that a volume has beside its name. */
function typesOf(volume: JsonObject): readonly string[] {
  return Object.keys(volume).filter((name) => isJsonObject(volume[name]))
}

export const VOLUME_CHECKS: readonly Check[] = [
  { id: 'hostPathVolumes', level: 'baseline', versions: [[0, hostPaths]] },
  { id: 'restrictedVolumes', level: 'restricted', versions: [[0, restrictedVolumes]], overrides: 'hostPathVolumes' },
]
