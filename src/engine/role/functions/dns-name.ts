import { sha256 } from '../../../core/base/hash.ts'

/** A dash and eight hex digits. */
const MARK_LENGTH = 9

/**
 * A name that Kubernetes accepts for objects, made of parts: joined by `-`, lower-cased, every other character a `-`, no `-`
 * at either end. Where that changed anything, or the name is longer than `max`, it ends in a hash of the parts, so that
 * different parts give different names.
 *
 * Frozen for ever: a change renames the objects of every role that uses it.
 */
export function dnsName(parts: readonly string[], max: number): string {
  const joined = parts.join('-')
  const plain = joined
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replace(/[^a-z0-9-]/gu, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
  if (plain === joined && plain !== '' && plain.length <= max) return plain
  const mark = sha256(parts.join('\0')).slice(0, MARK_LENGTH - 1)
  const kept = plain.slice(0, max - MARK_LENGTH)
  return kept === '' ? mark : `${kept}-${mark}`
}

/** The least `max` that leaves room for the mark and one more character. */
export const LEAST_DNS_NAME_LENGTH = MARK_LENGTH + 1
