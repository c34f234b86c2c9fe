/** Which type an object has. `group` is empty for the core group. */
export type Gvk = { readonly group: string; readonly version: string; readonly kind: string }

/** A type without its version: versions are views of the same objects, so the engine keys everything by this. */
export type GroupKind = { readonly group: string; readonly kind: string }

export function gvkOf(object: { readonly apiVersion: string; readonly kind: string }): Gvk {
  const slash = object.apiVersion.indexOf('/')
  return {
    group: object.apiVersion.slice(0, Math.max(slash, 0)),
    version: object.apiVersion.slice(slash + 1),
    kind: object.kind,
  }
}

/** `apps/v1`, or `v1` for the core group. */
export function apiVersionOf(gvk: { readonly group: string; readonly version: string }): string {
  return gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`
}

/** `apps/v1/Deployment`, or `v1/Pod`: how roles write a type in one text. */
export function parseGvk(text: string): Gvk {
  const end = text.lastIndexOf('/')
  return gvkOf({ apiVersion: text.slice(0, end), kind: text.slice(end + 1) })
}

/** `Deployment.apps`, or `Pod` for the core group: how people and the ledger name a type. */
export function formatGroupKind({ group, kind }: GroupKind): string {
  return group === '' ? kind : `${kind}.${group}`
}

/** Whether objects of the type are Secrets, whose data must not be shown. */
export function isSecret({ group, kind }: GroupKind): boolean {
  return group === '' && kind === 'Secret'
}

/** The inverse of `formatGroupKind`. */
export function parseGroupKind(text: string): GroupKind {
  const dot = text.indexOf('.')
  return dot === -1 ? { group: '', kind: text } : { group: text.slice(dot + 1), kind: text.slice(0, dot) }
}

/** `apps/v1 Deployment`. */
export function formatGvk(gvk: Gvk): string {
  return `${apiVersionOf(gvk)} ${gvk.kind}`
}
