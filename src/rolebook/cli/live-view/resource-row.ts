import { formatKey } from '../../../core/kube/object.ts'
import { type Request, requestKey } from '../../../engine/runtime/reconciler.ts'

/** What the live view says about one resource. */
export interface ResourceRow {
  readonly request: Request
  readonly ready: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
  /** Unknown before a run got so far. */
  readonly children: number | undefined
  /** When something about it last changed, in milliseconds since 1970. */
  readonly changed: number
}

/** Identifies the resource of a row. */
export function keyOfRow({ request }: Pick<ResourceRow, 'request'>): string {
  return requestKey(request)
}

/** `Memcached default/memcached-sample`. */
export function nameOfRow({ request }: Pick<ResourceRow, 'request'>): string {
  return `${request.kind} ${formatKey(request)}`
}

/** For people: `12:01:33`. */
export function timeOfDay(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(11, 19)
}
