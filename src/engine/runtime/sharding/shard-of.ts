import type { ObjectKey } from '../../../core/kube/object.ts'

/**
 * The shard of a resource, from 0 to `count - 1`. It depends on namespace and name alone, so it is the same for every process, version and
 * kind: resources of the same name that read one another are worked on by one process.
 */
export function shardOf({ namespace, name }: ObjectKey, count: number): number {
  return count === 1 ? 0 : hash32(`${namespace}/${name}`) % count
}

/** FNV-1a over UTF-16 code units, with the finalizer of MurmurHash3, so that names that differ in one digit spread evenly. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let place = 0; place < text.length; place++) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
