import type { JsonObject } from '../../core/base/json.ts'

/** How an installation is called, and where it is. */
export interface InstallSettings {
  /** Of everything that is made in the namespace, and of the lease. */
  readonly name: string
  readonly namespace: string
  readonly image: string
  /** Namespaces that are watched where no entry lists its own. Absent: all. */
  readonly watchNamespaces?: readonly string[] | undefined
  /** Whether the image holds the project, so that none is mounted over it. Defaults to false. */
  readonly builtIn?: boolean | undefined
  /** How many Pods there are. Defaults to 2. */
  readonly replicas?: number | undefined
  /** Into how many shares the resources are split. Defaults to 1: one Pod leads. */
  readonly shards?: number | undefined
}

/** What a Pod of the operator is known by. */
export function selectorLabels({ name }: Pick<InstallSettings, 'name'>): JsonObject {
  return { 'app.kubernetes.io/name': name }
}

/** The metadata of a namespaced object of the installation. */
export function metadataOf({ name, namespace }: InstallSettings, ending = ''): JsonObject {
  return { name: `${name}${ending}`, namespace, labels: selectorLabels({ name }) }
}

/**
 * Name of what is in no namespace, or in another installation's, where objects of all installations meet. A colon is in no other
 * part of it, so no two installations have the same. RBAC sets no limit to the length of a name.
 */
export function nameElsewhere({ name, namespace }: Pick<InstallSettings, 'name' | 'namespace'>, ending = ''): string {
  return `${namespace}:${name}${ending}`
}

/** Names of the ConfigMaps that hold the project. */
export function configMapNames({ name }: Pick<InstallSettings, 'name'>): { watches: string; roles: string } {
  return { watches: `${name}-watches`, roles: `${name}-roles` }
}

/** Where the project lies in the container, mounted or built in. */
export const PROJECT_FOLDERS = { watches: '/etc/rolebook/watches', roles: '/etc/rolebook/roles' } as const

/** Flags of `run` that say so. */
export const PROJECT_ARGUMENTS = [
  `--watches-file=${PROJECT_FOLDERS.watches}/watches.yaml`,
  `--roles-path=${PROJECT_FOLDERS.roles}`,
] as const

/** Of the container, by their names. */
export const PORTS = { metrics: 8443, probes: 8081 } as const

/** What the name of the Service ends in. */
export const SERVICE_ENDING = '-metrics'

/** So that a server takes every name that is made of it: that of the Service is a DNS label, all others may be longer. */
export const MAX_NAME_LENGTH = 63 - SERVICE_ENDING.length
