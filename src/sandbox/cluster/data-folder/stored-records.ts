import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { KeptChange, KeptObject } from '../../apiserver/store/journal.ts'
import type { StoredObject, StoreEvent } from '../../apiserver/store/stored-object.ts'

/** The first record of every file. It identifies the format, so that a later version knows what it reads. */
export interface FileHeader {
  readonly format: 'rolebook-sandbox'
  readonly version: 1
  readonly holds: 'snapshot' | 'changes'
  readonly revision: number
  /** Of a snapshot. */
  readonly objects?: number | undefined
}

export function snapshotHeader(revision: number, objects: number): FileHeader {
  return { format: 'rolebook-sandbox', version: 1, holds: 'snapshot', revision, objects }
}

export function changesHeader(revision: number): FileHeader {
  return { format: 'rolebook-sandbox', version: 1, holds: 'changes', revision }
}

/** Whether a record is the header of such a file. */
export function isHeader(value: JsonValue, { holds, revision }: Pick<FileHeader, 'holds' | 'revision'>): boolean {
  if (!isJsonObject(value) || value.format !== 'rolebook-sandbox' || value.version !== 1) return false
  return value.holds === holds && value.revision === revision
}

export function objectRecord({ resource, object }: StoredObject): JsonObject {
  return { resource, object: object as JsonObject }
}

export function changeRecord({ type, revision, current }: StoreEvent): JsonObject {
  return { type, revision, ...objectRecord(current) }
}

/** The counterparts; `undefined` when a record is of another form. */
export function toKeptObject(value: JsonValue): KeptObject | undefined {
  if (!isJsonObject(value) || typeof value.resource !== 'string') return undefined
  const { resource, object } = value
  return isJsonObject(object) && isJsonObject(object.metadata) ? { resource, object: object as KubeObject } : undefined
}

export function toKeptChange(value: JsonValue): KeptChange | undefined {
  const kept = toKeptObject(value)
  if (!kept || !isJsonObject(value)) return undefined
  const { type, revision } = value
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return undefined
  return typeof revision === 'number' ? { ...kept, type, revision } : undefined
}
