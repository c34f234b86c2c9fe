import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { type Gvk, gvkOf } from '../../../core/kube/group-version-kind.ts'
import { Undecided } from '../undecided.ts'

/** An entry of `spec.resources` of a ResourceGraphDefinition. */
export interface KroResource {
  readonly id: string
  /** Where it stands in its file. */
  readonly path: JsonPath
  readonly value: JsonObject
  /** What kro makes, or reads. It has metadata. */
  readonly object: JsonObject
  readonly objectPath: JsonPath
  /** `read`: one object by its name; `list`: those that a selector finds. */
  readonly use: 'ensure' | 'read' | 'list'
  readonly gvk: Gvk
  readonly includeWhen: readonly JsonValue[]
  readonly readyWhen: readonly JsonValue[]
  readonly forEach: readonly JsonValue[]
}

/** @throws Undecided */
export function readResource(value: JsonValue, path: JsonPath): KroResource {
  if (!isJsonObject(value) || typeof value.id !== 'string') {
    throw new Undecided('RB1706', 'a resource is a map with an `id`', { place: { path } })
  }
  const { template, externalRef } = value
  const object = template ?? externalRef
  if (!isJsonObject(object) || typeof object.apiVersion !== 'string' || typeof object.kind !== 'string') {
    throw new Undecided('RB1706', 'a resource has a `template` or an `externalRef` with apiVersion and kind', {
      place: { path },
    })
  }
  const { metadata } = object
  if (!isJsonObject(metadata)) throw new Undecided('RB1706', `${value.id} has no metadata`, { place: { path } })
  const field = template === undefined ? 'externalRef' : 'template'
  for (const key of ['apiVersion', 'kind']) {
    if (!String(object[key]).includes('${')) continue
    const place = { path: [...path, field, key] }
    throw new Undecided('RB1704', `\`${key}\` must be known before the role runs`, { place })
  }
  const isList = field === 'externalRef' && metadata.selector !== undefined
  return {
    id: value.id,
    path,
    value,
    object,
    objectPath: [...path, field],
    use: field === 'template' ? 'ensure' : isList ? 'list' : 'read',
    gvk: gvkOf({ apiVersion: object.apiVersion, kind: object.kind }),
    includeWhen: listOf(value.includeWhen),
    readyWhen: listOf(value.readyWhen),
    forEach: listOf(value.forEach),
  }
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : []
}

/** Whether its name stands for a list. */
export function isCollection({ use, forEach }: KroResource): boolean {
  return use === 'list' || forEach.length > 0
}
