import { type FileHandle, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { StoreState } from '../../apiserver/store/journal.ts'
import { snapshotPath, unfinishedPath } from './data-files.ts'
import { encodeRecord } from './records.ts'
import { objectRecord, snapshotHeader } from './stored-records.ts'

/** Objects that are written before others get a turn. */
const BATCH = 100

/** Writes a state to a file that is there whole or not at all, even if the machine stops. Returns its size in bytes. */
export async function writeSnapshot(folder: string, { revision, objects }: StoreState): Promise<number> {
  const path = snapshotPath(folder, revision)
  const file = await open(unfinishedPath(path), 'w', 0o600)
  try {
    await file.write(encodeRecord(snapshotHeader(revision, objects.length)))
    for (let index = 0; index < objects.length; index += BATCH) {
      await writeAll(
        file,
        Buffer.concat(objects.slice(index, index + BATCH).map((one) => encodeRecord(objectRecord(one)))),
      )
    }
    await file.sync()
    const { size } = await file.stat()
    await rename(unfinishedPath(path), path)
    await syncFolder(dirname(path))
    return size
  } finally {
    await file.close()
  }
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await file.write(bytes, written)).bytesWritten
  }
}

/** The name of a file is kept by its folder. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
