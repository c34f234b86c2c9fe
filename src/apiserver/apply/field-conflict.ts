/** A field that the applied object would change although another manager owns it. */
export interface FieldConflict {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly subresource: string
  /** Of the manager's entry: printed for Update managers. */
  readonly time: string | undefined
  /** `.spec.replicas`, `.spec.containers[name="web"].image`. */
  readonly field: string
}

/** Message of the Status of a 409. */
export function conflictMessage(_conflicts: readonly FieldConflict[]): string {
  throw new Error('not written yet')
}

/** `details.causes` of the Status of a 409. */
export function conflictCauses(
  _conflicts: readonly FieldConflict[],
): readonly { readonly reason: string; readonly message: string; readonly field: string }[] {
  throw new Error('not written yet')
}
