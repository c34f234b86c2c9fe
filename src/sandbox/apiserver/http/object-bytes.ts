import { apiVersionOf } from '../../../core/kube/group-version-kind.ts'
import { presentObject, type ServedResource } from '../served-resource.ts'
import type { ListPage } from '../store/list-objects.ts'
import type { StoredObject } from '../store/stored-object.ts'
import { RecentBytes } from './recent-bytes.ts'

/** Enough for what watches and answers share; the bytes of all objects would double what they take. */
const CAPACITY = 1024 * 1024

/**
 * The JSON of stored objects as bytes, made once for each version of a resource and shared by the answers and watches that
 * follow a change.
 *
 * Cached is what follows kind and apiVersion, because lists of built-in kinds leave those out.
 */
const tails = new WeakMap<ServedResource, RecentBytes>()

export function objectBytes(resource: ServedResource, stored: StoredObject): Buffer {
  return Buffer.concat([typeHead(resource), tailOf(resource, stored)])
}

/** One line of a watch. */
export function eventBytes(type: string, resource: ServedResource, stored: StoredObject): Buffer {
  const head = Buffer.from(`{"type":"${type}","object":`)
  return Buffer.concat([head, typeHead(resource), tailOf(resource, stored), EVENT_END])
}

export function listBytes(resource: ServedResource, page: ListPage): Buffer {
  const metadata = {
    ...(resource.custom && { continue: '' }),
    resourceVersion: String(page.revision),
    ...(page.continueToken && { continue: page.continueToken }),
    ...(page.remaining !== undefined && { remainingItemCount: page.remaining }),
  }
  const kind = JSON.stringify(resource.listKind)
  const apiVersion = JSON.stringify(apiVersionOf(resource))
  const chunks: Buffer[] = [
    Buffer.from(`{"kind":${kind},"apiVersion":${apiVersion},"metadata":${JSON.stringify(metadata)},"items":[`),
  ]
  const itemHead = resource.custom ? typeHead(resource) : OPEN
  page.items.forEach((stored, index) => {
    if (index > 0) chunks.push(COMMA)
    chunks.push(itemHead, tailOf(resource, stored))
  })
  chunks.push(LIST_END)
  return Buffer.concat(chunks)
}

const OPEN = Buffer.from('{')
const COMMA = Buffer.from(',')
const LIST_END = Buffer.from(']}\n')
const EVENT_END = Buffer.from('}\n')

const heads = new WeakMap<ServedResource, Buffer>()

/** `{"kind":"Deployment","apiVersion":"apps/v1",` */
function typeHead(resource: ServedResource): Buffer {
  const known = heads.get(resource)
  if (known) return known
  const kind = JSON.stringify(resource.kind)
  const head = Buffer.from(`{"kind":${kind},"apiVersion":${JSON.stringify(apiVersionOf(resource))},`)
  heads.set(resource, head)
  return head
}

function tailOf(resource: ServedResource, { object }: StoredObject): Buffer {
  const cache = cacheOf(resource)
  const known = cache.get(object)
  if (known) return known
  const { apiVersion, kind, ...rest } = presentObject(resource, object)
  const tail = Buffer.from(JSON.stringify(rest).slice(1))
  cache.set(object, tail)
  return tail
}

function cacheOf(resource: ServedResource): RecentBytes {
  const known = tails.get(resource)
  if (known) return known
  const cache = new RecentBytes(CAPACITY)
  tails.set(resource, cache)
  return cache
}
