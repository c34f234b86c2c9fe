import { getPath, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../../core/base/json.ts'
import type { KubeObject } from '../../../../core/kube/object.ts'
import { changeItems } from '../../../../core/schema/changes.ts'
import { mapField, mapItems, setPath } from '../common/fields.ts'
import type { KindRules } from '../kind-rules.ts'
import { podSpecPathOf } from './pod-spec-path.ts'

/** Of the spec of a pod: lists and maps that must not be given, not even empty; `*` stands for each item. */
const REFUSED: readonly (readonly string[])[] = [
  ['resources', 'claims'],
  ...['ports', 'resizePolicy', 'restartPolicyRules'].map((name) => ['ephemeralContainers', '*', name]),
  ...['claims', 'limits', 'requests'].map((name) => ['ephemeralContainers', '*', 'resources', name]),
  ...['finalizers', 'managedFields', 'ownerReferences'].map((name) => [
    'volumes',
    '*',
    'ephemeral',
    'volumeClaimTemplate',
    'metadata',
    name,
  ]),
]

/** The rules of a kind, for which an empty list counts as given where none may be. */
export function withEmptyParts(rules: KindRules): KindRules {
  const path = podSpecPathOf(rules.gvk.kind)
  if (path === undefined) return rules
  const { prepareForCreate, prepareForUpdate } = rules
  const withNulls = (object: KubeObject): KubeObject => {
    const spec = getPath(object, path)
    const complete = isJsonObject(spec) ? mapItems(spec, 'volumes', withoutSources) : spec
    return complete === spec ? object : setPath(object, path, complete)
  }
  return {
    ...rules,
    prepareForCreate: (object, context) => withNulls(prepareForCreate ? prepareForCreate(object, context) : object),
    prepareForUpdate: (object, old, context) =>
      withNulls(prepareForUpdate ? prepareForUpdate(object, old, context) : object),
    afterDecode: (decoded, body) => {
      const [spec, given] = [getPath(decoded, path), getPath(body, path)]
      const complete = REFUSED.reduce((part, steps) => keepEmpty(part, given, steps), spec)
      const object = complete === spec ? decoded : setPath(decoded, path, complete)
      return rules.afterDecode ? rules.afterDecode(object, body) : object
    },
  }
}

/** The list that is always sent is sent as null when it is empty. */
function withoutSources(volume: JsonObject): JsonObject {
  return mapField(volume, 'projected', (projected) => {
    const { sources } = projected
    return isJsonArray(sources) && sources.length === 0 ? { ...projected, sources: null } : projected
  })
}

/** The part itself when nothing empty was given there. */
function keepEmpty(
  part: JsonValue | undefined,
  given: JsonValue | undefined,
  [step = '', ...rest]: readonly string[],
): JsonValue | undefined {
  if (step === '*') {
    if (!isJsonArray(part) || !isJsonArray(given)) return part
    return changeItems(part, (item, index) => keepEmpty(item, given[index], rest) as JsonValue)
  }
  if (!isJsonObject(part) || !isJsonObject(given) || given[step] === undefined) return part
  const inner = rest.length === 0 ? emptyOf(part[step], given[step]) : keepEmpty(part[step], given[step], rest)
  return inner === part[step] ? part : ({ ...part, [step]: inner } as JsonObject)
}

function emptyOf(value: JsonValue | undefined, given: JsonValue): JsonValue | undefined {
  if (value !== undefined) return value
  const isEmpty = isJsonArray(given) ? given.length === 0 : isJsonObject(given) && Object.keys(given).length === 0
  return isEmpty ? given : undefined
}
