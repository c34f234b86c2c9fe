import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A file of a data folder, by the revision that its name carries. */
export interface DataFile {
  readonly path: string
  /** Of a snapshot: which state it holds. Of changes: the last one before them. */
  readonly revision: number
}

export interface DataFiles {
  /** Oldest first, like `changes`. */
  readonly snapshots: readonly DataFile[]
  readonly changes: readonly DataFile[]
  /** Left by a process that ended while it wrote. */
  readonly unfinished: readonly string[]
}

const UNFINISHED = '.tmp'

export function snapshotPath(folder: string, revision: number): string {
  return join(folder, `snapshot-${revision}.jsonl`)
}

export function changesPath(folder: string, revision: number): string {
  return join(folder, `changes-${revision}.jsonl`)
}

/** Where a file is written until it is whole. */
export function unfinishedPath(path: string): string {
  return `${path}${UNFINISHED}`
}

export function listDataFiles(folder: string): DataFiles {
  const names = readdirSync(folder)
  return {
    snapshots: filesNamed(names, 'snapshot').map((revision) => ({ path: snapshotPath(folder, revision), revision })),
    changes: filesNamed(names, 'changes').map((revision) => ({ path: changesPath(folder, revision), revision })),
    unfinished: names.filter((name) => name.endsWith(UNFINISHED)).map((name) => join(folder, name)),
  }
}

function filesNamed(names: readonly string[], kind: string): readonly number[] {
  const pattern = new RegExp(`^${kind}-(\\d+)\\.jsonl$`)
  const revisions = names.flatMap((name) => pattern.exec(name)?.[1] ?? [])
  return revisions.map(Number).sort((left, right) => left - right)
}
