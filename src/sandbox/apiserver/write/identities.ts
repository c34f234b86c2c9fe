import { sha256 } from '../../../core/base/hash.ts'
import type { KubeObject } from '../../../core/kube/object.ts'

/** Chooses what a real server leaves to chance: the uids of objects, and the ends of names that it generates. */
export interface Identities {
  uidOf(object: KubeObject): string
  /** The name that an object gets whose `generateName` this is. Another one in every call. */
  nameFor(prefix: string): string
}

/** Letters and digits that spell no words. */
export const SAFE_LETTERS = 'bcdfghjklmnpqrstvwxz2456789'
const MAX_GENERATED_PREFIX = 58

/** A prefix with five letters that spell no words. `choose` yields numbers from 0 to below 1. */
function withSuffix(prefix: string, choose: (index: number) => number): string {
  let suffix = ''
  for (let index = 0; index < 5; index++) suffix += SAFE_LETTERS[Math.floor(choose(index) * SAFE_LETTERS.length)]
  return prefix.slice(0, MAX_GENERATED_PREFIX) + suffix
}

export const randomIdentities: Identities = {
  uidOf: () => crypto.randomUUID(),
  nameFor: (prefix) => withSuffix(prefix, Math.random),
}

/** Gives the same objects the same identities on every server, in any order of different objects. For output that is compared. */
export class SteadyIdentities implements Identities {
  readonly #counts = new Map<string, number>()

  uidOf({ apiVersion, kind, metadata: { namespace = '', name = '' } }: KubeObject): string {
    const hex = this.#next(`${kind} ${apiVersion} ${namespace}/${name}`)
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `8${hex.slice(17, 20)}`,
      hex.slice(20, 32),
    ].join('-')
  }

  nameFor(prefix: string): string {
    const hex = this.#next(`name ${prefix}`)
    return withSuffix(prefix, (index) => Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16) / 256)
  }

  /** A digest of the text and of how often it has been asked for. */
  #next(text: string): string {
    const count = this.#counts.get(text) ?? 0
    this.#counts.set(text, count + 1)
    return sha256(`${text} ${count}`)
  }
}
