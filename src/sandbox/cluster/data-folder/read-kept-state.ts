import { readFileSync } from 'node:fs'
import type { KeptChange, KeptObject, KeptState } from '../../apiserver/store/journal.ts'
import { damagedAt, damagedFile } from './damaged-data-error.ts'
import type { DataFile, DataFiles } from './data-files.ts'
import { type ReadRecord, readRecords } from './records.ts'
import { isHeader, toKeptChange, toKeptObject } from './stored-records.ts'

/** Of a store in which nothing has happened. */
const FIRST_REVISION = 1

/**
 * The state that the files of a folder hold: the newest snapshot and every change after it. Files are read as they are
 * asked for.
 *
 * @throws DamagedDataError, also while it is read
 */
export function readKeptState({ snapshots, changes }: DataFiles): KeptState {
  const snapshot = snapshots.at(-1)
  const revision = snapshot?.revision ?? FIRST_REVISION
  const later = changes.filter((each) => each.revision >= revision)
  return {
    revision,
    objects: snapshot ? readSnapshot(snapshot) : [],
    changes: readChanges(revision, later),
  }
}

function* readSnapshot({ path, revision }: DataFile): Generator<KeptObject, void, void> {
  const [header, ...records] = readRecords(path, readFileSync(path))
  const value = header?.value
  if (value === undefined || !isHeader(value, { holds: 'snapshot', revision })) {
    throw damagedFile(path, 'it does not begin as a snapshot of this version of rolebook does')
  }
  const { objects } = value as { objects?: number }
  if (records.length !== objects) throw damagedFile(path, `it has ${records.length} objects and not ${objects}`)
  for (const record of records) yield toKeptObject(record.value) ?? unknown(path, record)
}

function* readChanges(after: number, files: readonly DataFile[]): Generator<KeptChange, void, void> {
  let known = after
  for (const file of files) {
    if (file.revision !== known) throw missing(file.path, known + 1, file.revision)
    for (const change of readFileOfChanges(file)) {
      if (change.revision !== known + 1) throw missing(file.path, known + 1, change.revision - 1)
      known = change.revision
      yield change
    }
  }
}

function* readFileOfChanges({ path, revision }: DataFile): Generator<KeptChange, void, void> {
  let isFirst = true
  for (const record of readRecords(path, readFileSync(path))) {
    if (!isFirst) yield toKeptChange(record.value) ?? unknown(path, record)
    else if (!isHeader(record.value, { holds: 'changes', revision })) {
      throw damagedFile(path, 'it does not begin as changes of this version of rolebook do')
    }
    isFirst = false
  }
}

function missing(path: string, from: number, to: number): Error {
  return damagedFile(path, `the changes ${from} to ${to} are missing before it, or in it`)
}

function unknown(path: string, { line, start }: ReadRecord): never {
  throw damagedAt({ path, line, offset: start }, 'the record is of a form that this version of rolebook does not know')
}
