import type { KubeObject } from './object.ts'

/** Whether an object has reached what its spec says: kstatus in three words. */
export type Readiness =
  | { readonly kind: 'ready' }
  | { readonly kind: 'notReady'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string }

export function readinessOf(_object: KubeObject): Readiness {
  return { kind: 'ready' }
}
