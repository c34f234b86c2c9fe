import type { Clock } from '../../core/base/clock.ts'
import { canonicalJson, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import { jsonChanges } from '../../core/base/json-changes.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../core/kube/object.ts'
import { FieldSet } from '../../core/schema/field-set.ts'
import type { ObjectEvent } from '../../sandbox/apiserver/object-api.ts'
import type { FieldChange } from '../ui/model.ts'
import { isOfInterest, nameOf } from './object-name.ts'
import type { WriteView } from './protocol.ts'

/** Fields of one write that are listed. */
const MOST_FIELDS = 40
const LONGEST_VALUE = 300
const VERBS = { ADDED: 'created', MODIFIED: 'changed', DELETED: 'deleted' } as const

/** What is written in a cluster, in its order: each write with its fields. No value of a Secret is in it. */
export class WriteLog {
  readonly #clock: Clock
  #number = 0
  #news: WriteView[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Call it for each change in the store. */
  changed({ type, object, old }: ObjectEvent): void {
    if (!isOfInterest(object)) return
    const changes = type === 'MODIFIED' ? fieldsBetween(old, object) : []
    if (type === 'MODIFIED' && changes.length === 0) return
    this.#number += 1
    this.#news.push({
      number: this.#number,
      at: this.#clock.now(),
      verb: VERBS[type],
      object: nameOf(object),
      by: type === 'DELETED' ? '' : writerOf(object, old, { at: this.#clock.now(), changes }),
      fields: changes.slice(0, MOST_FIELDS),
      more: Math.max(0, changes.length - MOST_FIELDS),
    })
  }

  /** Those since the last call. */
  take(): readonly WriteView[] {
    const news = this.#news
    this.#news = []
    return news
  }
}

function fieldsBetween(old: KubeObject | undefined, object: KubeObject): readonly FieldChange[] {
  const isSecret = object.kind === 'Secret'
  return jsonChanges(contentOf(old), contentOf(object)).map(({ field, from, to }) => {
    const isHidden = isSecret && /^(?:data|stringData)\b/.test(field)
    const shown = (value: JsonValue | undefined): string | undefined =>
      isHidden && value !== undefined ? '•••' : print(value)
    return { field, from: shown(from), to: shown(to) }
  })
}

/** Without what changes with each write. */
function contentOf(object: KubeObject | undefined): JsonObject {
  if (!object) return {}
  const { managedFields: _, resourceVersion: _version, generation: _generation, ...metadata } = object.metadata
  return { ...object, metadata } as JsonObject
}

function print(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined
  const text = JSON.stringify(value)
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}

interface Write {
  readonly at: number
  readonly changes: readonly { readonly field: string }[]
}

/**
 * The manager whose entry is new or another one. An entry that has only lost fields is that of a manager from which the writer has taken them.
 * Two writes of one manager within a second leave its entry the same: then the only one of that second.
 */
function writerOf(object: KubeObject, old: KubeObject | undefined, { at, changes }: Write): string {
  const entries = object.metadata.managedFields ?? []
  const former = old?.metadata.managedFields ?? []
  const before = new Set(former.map((entry) => JSON.stringify(entry)))
  const changed = entries.filter((entry) => !before.has(JSON.stringify(entry)))
  const writer = changed.findLast((entry) => !hasOnlyLost(entry, former)) ?? changed.at(-1)
  const second = `${new Date(at).toISOString().slice(0, 19)}Z`
  const subresource = changes.every(({ field }) => field.startsWith('status')) ? 'status' : undefined
  const possible = entries.filter((entry) => entry.time === second && entry.subresource === subresource)
  const isOne = new Set(possible.map(({ manager }) => manager)).size === 1
  return writer?.manager ?? (isOne ? (possible[0]?.manager ?? '') : '')
}

function hasOnlyLost(entry: ManagedFieldsEntry, former: readonly ManagedFieldsEntry[]): boolean {
  const before = former.find((one) => headOf(one) === headOf(entry))
  if (!before) return false
  return fieldsOf(entry).isSubsetOf(fieldsOf(before))
}

/** The entry without its fields. Only a write of its manager changes its time. */
function headOf({ fieldsV1: _, ...head }: ManagedFieldsEntry): string {
  return canonicalJson(head)
}

function fieldsOf({ fieldsV1 }: ManagedFieldsEntry): FieldSet {
  return FieldSet.fromFieldsV1((fieldsV1 ?? {}) as JsonObject)
}
