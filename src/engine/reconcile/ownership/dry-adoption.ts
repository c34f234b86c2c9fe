import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { ApplyOptions, JsonPatchBody, JsonPatchOperation, KubeClient } from '../../../core/kube/client.ts'
import { formatGroupKind, type Gvk, gvkOf } from '../../../core/kube/group-version-kind.ts'
import {
  formatKey,
  type KubeObject,
  keyOf,
  type ManagedFieldsEntry,
  type ObjectKey,
} from '../../../core/kube/object.ts'
import { FieldSet } from '../../../core/schema/field-set.ts'
import { fieldsOf, stepTo } from './held-fields.ts'
import { applyEntryOf, FIELD_MANAGER } from './marks.ts'

/**
 * A client whose dry runs show what an adoption would remove. Fields are taken over by a patch, and the apply after it removes
 * those that the role does not set; a server that has forgotten the patch keeps them. So the patch is remembered here, and what
 * the apply would have removed is taken from its answer, which a second dry run completes by the defaults of the server.
 */
export function foreseeingAdoption(client: KubeClient): KubeClient {
  const taken = new Map<string, readonly ManagedFieldsEntry[]>()
  return {
    get: (...args) => client.get(...args),
    list: (...args) => client.list(...args),
    watch: (...args) => client.watch(...args),
    create: (...args) => client.create(...args),
    delete: (...args) => client.delete(...args),
    async patch(gvk, key, patch, options) {
      const answer = await client.patch(gvk, key, patch, options)
      const entries = options.dryRun ? entriesIn(patch) : undefined
      if (entries) taken.set(idOf(gvk, key), entries)
      return answer
    },
    async apply(object, options) {
      const answer = await client.apply(object, options)
      const isOurs = options.fieldManager === FIELD_MANAGER && options.subresource === undefined
      const entries = options.dryRun && isOurs ? taken.get(idOf(gvkOf(object), keyOf(object))) : undefined
      return entries ? afterTaking(client, { answer, entries, options }) : answer
    },
  }
}

function idOf(gvk: Gvk, key: ObjectKey): string {
  return `${formatGroupKind(gvk)} ${formatKey(key)}`
}

function entriesIn({ type, body }: JsonPatchBody): readonly ManagedFieldsEntry[] | undefined {
  const metadata = type === 'merge' ? body.metadata : undefined
  const entries = isJsonObject(metadata) ? metadata.managedFields : undefined
  return isJsonArray(entries) ? (entries as readonly ManagedFieldsEntry[]) : undefined
}

interface DryApply {
  readonly answer: KubeObject
  /** As the patch would have left them. */
  readonly entries: readonly ManagedFieldsEntry[]
  readonly options: ApplyOptions
}

async function afterTaking(client: KubeClient, { answer, entries, options }: DryApply): Promise<KubeObject> {
  const ours = applyEntryOf(answer, FIELD_MANAGER)
  const before = applyEntryOf({ ...answer, metadata: { managedFields: entries } }, FIELD_MANAGER)
  const others = entries.filter((entry) => entry !== before)
  const kept = others.map(fieldsOf).reduce((all, one) => all.union(one), fieldsOf(ours ?? {}))
  const dropped = fieldsOf(before ?? {}).difference(kept)
  const left = without(answer as JsonObject, dropped, kept) as KubeObject
  const body = [...replacements(answer, left)]
  const { fieldManager, signal } = options
  const send = { fieldManager, dryRun: true, signal }
  const whole =
    body.length === 0 ? left : await client.patch(gvkOf(answer), keyOf(answer), { type: 'json', body }, send)
  return { ...whole, metadata: { ...whole.metadata, managedFields: ours ? [ours, ...others] : others } }
}

/** A value without the fields of a set; what stands below one of them goes with it, unless somebody keeps something there. */
function without(value: JsonValue, dropped: FieldSet, kept: FieldSet): JsonValue {
  const gone = new Set<string | number>()
  const changed = new Map<string | number, JsonValue>()
  for (const [element, { member, children }] of dropped.entries()) {
    const step = stepTo(element, value)
    if (step === undefined) continue
    const keptBelow = kept.child(element)
    if (member && !keptBelow && !kept.isMember(element)) gone.add(step)
    else if (children) changed.set(step, without(fieldAt(value, step), children, keptBelow ?? FieldSet.empty))
  }
  const next = (step: string | number, old: JsonValue): JsonValue => changed.get(step) ?? old
  if (isJsonArray(value)) return value.flatMap((item, index) => (gone.has(index) ? [] : [next(index, item)]))
  const fields = Object.entries(value as JsonObject).filter(([name]) => !gone.has(name))
  return Object.fromEntries(fields.map(([name, field]) => [name, next(name, field as JsonValue)]))
}

function fieldAt(value: JsonValue, step: string | number): JsonValue {
  return (value as { readonly [step: string | number]: JsonValue })[step] as JsonValue
}

const METADATA = ['labels', 'annotations', 'ownerReferences']
const HEAD = ['apiVersion', 'kind', 'metadata', 'status']

/** What makes of the object as the server has it the one that it would be. It has no more parts than `answer`. */
function* replacements(answer: KubeObject, left: KubeObject): Iterable<JsonPatchOperation> {
  const metadata = left.metadata as JsonObject
  for (const name of METADATA) {
    if (metadata[name] !== undefined) yield { op: 'add', path: `/metadata/${name}`, value: metadata[name] }
  }
  for (const name of Object.keys(answer).filter((one) => !HEAD.includes(one))) {
    const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (left[name] !== undefined) yield { op: 'add', path, value: left[name] }
    else yield { op: 'remove', path }
  }
}
