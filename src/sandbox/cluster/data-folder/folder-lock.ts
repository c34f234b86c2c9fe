import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { kill, pid } from 'node:process'
import { randomHex } from '../../../core/base/hash.ts'

const LOCK = 'lock'
const ATTEMPTS = 10

/**
 * Takes a folder for this process alone. The lock of a process that ended without giving it back is taken over.
 *
 * @throws Error when another process has it
 */
export function lockFolder(folder: string): () => void {
  const lock = join(folder, LOCK)
  const own = join(folder, `${LOCK}.${randomHex(4)}`)
  writeFileSync(own, `${pid}\n`, { mode: 0o600 })
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (tryLink(own, lock)) return () => release(lock)
      breakStale(lock)
    }
    throw new Error(
      `${lock}: cannot take the folder: others take and leave it all the time, or the lock is no file that can be read`,
    )
  } finally {
    rmSync(own, { force: true })
  }
}

/** A link is made at once and with its content, or not at all. */
function tryLink(own: string, lock: string): boolean {
  try {
    linkSync(own, lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** @throws Error when the process that has the lock is alive */
function breakStale(lock: string): void {
  const holder = holderOf(lock)
  if (holder === undefined) return
  if (isAlive(holder)) throw inUse(lock, holder)
  const broken = `${lock}.${randomHex(4)}`
  try {
    renameSync(lock, broken)
  } catch {
    return
  }
  // Another may have broken the lock first and made its own, which is what was taken now.
  const taken = holderOf(broken)
  if (taken !== undefined && taken !== holder && isAlive(taken)) tryLink(broken, lock)
  rmSync(broken, { force: true })
}

function inUse(lock: string, holder: number): Error {
  return new Error(
    `the folder is in use by process ${holder}: stop that one, or take another folder. ` +
      `If process ${holder} is no sandbox, remove ${lock}`,
  )
}

function holderOf(lock: string): number | undefined {
  try {
    return Number(readFileSync(lock, 'utf8'))
  } catch {
    return undefined
  }
}

/** A lock with our own number is left from an earlier life, as it happens in containers. */
function isAlive(holder: number): boolean {
  if (!Number.isSafeInteger(holder) || holder <= 0 || holder === pid) return false
  try {
    return kill(holder, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function release(lock: string): void {
  if (holderOf(lock) === pid) rmSync(lock, { force: true })
}
