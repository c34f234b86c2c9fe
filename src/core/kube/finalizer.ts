import type { KubeObject } from './object.ts'

export function hasFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false
}

/** The finalizers of an object with one more. */
export function withFinalizer(object: KubeObject, finalizer: string): readonly string[] {
  const present = object.metadata.finalizers ?? []
  return present.includes(finalizer) ? present : [...present, finalizer]
}

/** The finalizers of an object without one. */
export function withoutFinalizer(object: KubeObject, finalizer: string): readonly string[] {
  return (object.metadata.finalizers ?? []).filter((present) => present !== finalizer)
}

export function isTerminating(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined
}
