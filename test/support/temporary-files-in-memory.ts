import { mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process, { env } from 'node:process'

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm'
const PREFIX = 'rolebook-tests-'
/** Bytes. Some containers have 64 MiB. */
const ENOUGH = 2 ** 30
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Mocha calls it before its workers start, which inherit the environment. Tests write thousands of small files, and a disk takes milliseconds for each.
 * Where there is no such memory, or not enough, the files are written to the disk.
 */
export function mochaGlobalSetup(): void {
  if (env.TMPDIR !== undefined || !hasRoom()) return
  for (const name of readdirSync(MEMORY)) if (name.startsWith(PREFIX)) removeOld(join(MEMORY, name))
  const folder = mkdtempSync(join(MEMORY, PREFIX))
  env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ENOUGH
  } catch {
    return false
  }
}

/** Of a run that was killed. */
function removeOld(folder: string): void {
  const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: Number.POSITIVE_INFINITY }
  if (mtimeMs < Date.now() - DAY_MS) rmSync(folder, { recursive: true, force: true })
}
