import type { JsonObject } from '../base/json.ts'

/** How an installation is called, and where it is. */
export interface InstallSettings {
  /** Of everything that is made, and of the lease. */
  readonly name: string
  readonly namespace: string
  readonly image: string
  /** Namespaces that are watched where no entry lists its own. Absent: all. */
  readonly watchNamespaces?: readonly string[] | undefined
}

/** What a Pod of the operator is known by. */
export function selectorLabels({ name }: Pick<InstallSettings, 'name'>): JsonObject {
  return { 'app.kubernetes.io/name': name }
}

/** The metadata of a namespaced object of the installation. */
export function metadataOf({ name, namespace }: InstallSettings, ending = ''): JsonObject {
  return { name: `${name}${ending}`, namespace, labels: selectorLabels({ name }) }
}

/** Names of the ConfigMaps that hold the project. */
export function configMapNames({ name }: Pick<InstallSettings, 'name'>): { watches: string; roles: string } {
  return { watches: `${name}-watches`, roles: `${name}-roles` }
}

/** Of the container, by their names. */
export const PORTS = { metrics: 8443, probes: 8081 } as const
