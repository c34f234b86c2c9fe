import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  jsonEquals,
} from '../../../core/base/json.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../../core/kube/object.ts'
import { FieldSet } from '../../../core/schema/field-set.ts'
import type { PathElement } from '../../../core/schema/path-element.ts'
import type { FieldPath } from '../../role/field-path.ts'
import { isHandedOver } from '../apply/handed-over.ts'
import { applyEntryOf, FIELD_MANAGER } from './marks.ts'

/** Fields of an object that another manager holds. */
export interface HeldFields {
  readonly manager: string
  /** Of what is held as a whole, the way to it alone. */
  readonly paths: readonly JsonPath[]
}

/** The fields that we hold and others as well: when we drop one, it stays. `object` has the entries of all managers. */
export function sharedFields(object: KubeObject): readonly HeldFields[] {
  return heldByOthers(object, () => ourFields(object))
}

/**
 * The fields that an apply of ours has dropped and that stay, since others hold them. `before` needs our entry alone; what
 * the role hands over is left to others on purpose.
 */
export function keptFields(
  before: KubeObject,
  after: KubeObject,
  handOver: readonly FieldPath[] = [],
): readonly HeldFields[] {
  const dropped = (): FieldSet => ourFields(before).difference(ourFields(after))
  return heldByOthers(after, dropped, (path) => !isHandedOver(path, handOver))
}

/** What an entry of `managedFields` holds. */
export function fieldsOf({ fieldsV1 }: ManagedFieldsEntry): FieldSet {
  return FieldSet.fromFieldsV1((fieldsV1 ?? {}) as JsonObject)
}

function ourFields(object: KubeObject): FieldSet {
  return fieldsOf(applyEntryOf(object, FIELD_MANAGER) ?? {})
}

/** Of the fields that `find` yields. It is asked only where there is another manager. */
function heldByOthers(
  object: KubeObject,
  find: () => FieldSet,
  isMeant: (path: readonly PathElement[]) => boolean = () => true,
): readonly HeldFields[] {
  const entries = (object.metadata.managedFields ?? []).filter(
    ({ manager = '', fieldsV1 }) => manager !== '' && manager !== FIELD_MANAGER && fieldsV1 !== undefined,
  )
  const fields = entries.length === 0 ? FieldSet.empty : find()
  if (fields.isEmpty()) return []
  const held = [...Map.groupBy(entries, ({ manager }) => manager as string)].map(([manager, own]) => {
    const theirs = own.map(fieldsOf).reduce((all, one) => all.union(one))
    const common = [...topmost(fields.intersection(theirs))].filter(isMeant)
    return { manager, paths: common.map((path) => placeOf(path, object)).filter((place) => place !== undefined) }
  })
  return held.filter(({ paths }) => paths.length > 0)
}

/** The fields of a set without those that lie beneath another one of it. */
function* topmost(set: FieldSet, above: readonly PathElement[] = []): Iterable<readonly PathElement[]> {
  for (const [element, { member, children }] of set.entries()) {
    const path = [...above, element]
    if (member) yield path
    else if (children) yield* topmost(children, path)
  }
}

/** Where a field is in an object; `undefined` when it is not there. */
function placeOf(path: readonly PathElement[], object: KubeObject): JsonPath | undefined {
  const place: (string | number)[] = []
  let here: JsonValue | undefined = object as JsonObject
  for (const element of path) {
    const step = stepTo(element, here)
    if (step === undefined) return undefined
    place.push(step)
    here = (here as { readonly [step: string | number]: JsonValue })[step]
  }
  return place
}

/** The step in a value that stands for one of an entry; `undefined` when it leads nowhere. */
export function stepTo(element: PathElement, value: JsonValue | undefined): string | number | undefined {
  const text = element.slice(2)
  if (isJsonObject(value)) return element.startsWith('f:') && Object.hasOwn(value, text) ? text : undefined
  if (!isJsonArray(value)) return undefined
  const wanted: JsonValue = JSON.parse(text)
  if (element.startsWith('i:')) return (wanted as number) < value.length ? (wanted as number) : undefined
  const index = value.findIndex((item) => {
    if (element.startsWith('v:')) return jsonEquals(item, wanted)
    return isJsonObject(item) && Object.entries(wanted as JsonObject).every(([key, one]) => jsonEquals(item[key], one))
  })
  return index < 0 ? undefined : index
}
