/** One request, as it goes over the wire. */
export interface FuzzRequest {
  /** Which generator made it. */
  readonly topic: string
  readonly method: string
  readonly path: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer | undefined
}

/** A resource of the server under test and objects of its kind that it takes. */
export interface Target {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly namespaced: boolean
  readonly subresources: readonly string[]
}

/** Where objects are written. Nothing else is ever named, but by chance. */
export const NAMESPACES = ['default', 'fuzz-a', 'fuzz-b'] as const
export const NAMES = ['a', 'b', 'x.example.com'] as const

export function collectionPath({ group, version, plural, namespaced }: Target, namespace: string): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  return namespaced ? `${root}/namespaces/${namespace}/${plural}` : `${root}/${plural}`
}
