/** What becomes of the dependents of an object that is deleted. */
export type PropagationPolicy = 'Background' | 'Foreground' | 'Orphan'

/** Finalizers of the garbage collector: they stand on a deleted object until it has done its part by the policy. */
export const ORPHAN_FINALIZER = 'orphan'
export const FOREGROUND_FINALIZER = 'foregroundDeletion'
