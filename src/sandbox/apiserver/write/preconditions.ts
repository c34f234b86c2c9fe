import type { KubeObject } from '../../../core/kube/object.ts'
import { conflict } from '../api-status.ts'
import type { ServedResource } from '../served-resource.ts'
import type { WriteRequest } from './write-request.ts'

/**
 * A write that names a uid means that very object.
 *
 * @throws ApiError 409
 */
export function checkUid({ resource, name, dryRun }: WriteRequest, uid: string | undefined, live: KubeObject): void {
  if (uid === undefined || uid === '' || uid === live.metadata.uid) return
  const cause = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.metadata.uid}`
  // A dry run stops short of the storage, and knows nothing of its root.
  const key = `${dryRun ? '' : '/registry'}/${storageKey(resource, live)}`
  const text = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${cause}`
  throw conflict(resource, name, text)
}

/** The key of an object in etcd, below its root, because the messages of the real server contain it. */
function storageKey({ group, plural, custom }: ServedResource, { metadata }: KubeObject): string {
  const folder = custom || OTHER_SERVERS.has(group) ? `${group}/${plural}` : (FOLDERS[plural] ?? plural)
  return [folder, metadata.namespace, metadata.name].filter((part) => part).join('/')
}

/** Groups of built-in kinds that other servers in the same program serve. */
const OTHER_SERVERS: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io'])

const FOLDERS: Readonly<Record<string, string>> = {
  services: 'services/specs',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  ingresses: 'ingress',
  replicationcontrollers: 'controllers',
}

/** Conditions of a DELETE. */
export interface Preconditions {
  readonly uid?: string | undefined
  readonly resourceVersion?: string | undefined
}

/** @throws ApiError 409 */
export function checkPreconditions({ resource, name }: WriteRequest, wanted: Preconditions, live: KubeObject): void {
  const subject = { group: resource.group, plural: resource.kind }
  const { uid, resourceVersion } = live.metadata
  if (OWN_TEXTS.has(resource.table)) {
    const failed = failedPrecondition(wanted, live)
    if (failed !== undefined) throw conflict(resource, name, `Precondition failed: ${failed}`)
    return
  }
  if (wanted.uid !== undefined && wanted.uid !== uid) {
    const text = `the UID in the precondition (${wanted.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`
    throw conflict(subject, name, text)
  }
  if (wanted.resourceVersion !== undefined && wanted.resourceVersion !== resourceVersion) {
    const text = `the ResourceVersion in the precondition (${wanted.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`
    throw conflict(subject, name, text)
  }
}

/** Kinds with a DELETE of their own, which checks first. */
const OWN_TEXTS = new Set(['/namespaces', 'apiextensions.k8s.io/customresourcedefinitions'])

function failedPrecondition(wanted: Preconditions, { metadata }: KubeObject): string | undefined {
  const { uid, resourceVersion } = metadata
  if (wanted.uid !== undefined && wanted.uid !== uid) {
    return `UID in precondition: ${wanted.uid}, UID in object meta: ${uid}`
  }
  if (wanted.resourceVersion === undefined || wanted.resourceVersion === resourceVersion) return undefined
  return `ResourceVersion in precondition: ${wanted.resourceVersion}, ResourceVersion in object meta: ${resourceVersion}`
}
