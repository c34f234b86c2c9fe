import type { KubeObject } from '../../../core/kube/object.ts'
import { alreadyExists, invalid, statusError } from '../api-status.ts'
import { kindInErrors, presentObject, storedForm, toStorage } from '../served-resource.ts'
import { randomIdentities } from './identities.ts'
import { checkNamespaceForCreate } from './namespace-admission.ts'
import { ensureNamespace, wipeSystemFields, withMeta } from './object-meta.ts'
import { prepareForCreate } from './strategy.ts'
import { trackChange } from './track-change.ts'
import { validateObject } from './validate-object.ts'
import { warnAbout } from './warn-about.ts'
import { type ServerState, timestampOf, type WriteRequest, type WriteResult } from './write-request.ts'

const MAX_NAME_ATTEMPTS = 8
/** Versions of the storage have 64 bits. */
const MAX_VERSION = 2n ** 64n - 1n

/**
 * Adds a decoded object: the pipeline of POST, from the rules of metadata to the store.
 *
 * @throws ApiError
 */
export function createObject(state: ServerState, request: WriteRequest, decoded: KubeObject): WriteResult {
  const tracked = trackChange(state, request, { updated: ensureNamespace(wipeSystemFields(decoded), request) })
  return insertObject(state, request, tracked)
}

/** The rest of the pipeline for an object whose `managedFields` are done, as after an apply that creates. */
export function insertObject(state: ServerState, request: WriteRequest, object: KubeObject): WriteResult {
  checkNamespaceForCreate(state, request, object)
  const admitted = state.admission?.mutate(state, request, { operation: 'CREATE', object }) ?? object
  const named = nameObject(state, request, admitted)
  const prepared = prepareForCreate(state, request, fillSystemFields(state, request, named))
  const errors = validateObject(state, request, prepared)
  if (errors.length > 0) throw invalid(kindInErrors(request.resource), prepared.metadata.name ?? '', errors)
  warnAbout(request, prepared)
  state.admission?.validate(state, request, { operation: 'CREATE', object: prepared })
  const stored = toStorage(request.resource, storedForm(request.resource, prepared))
  const isPost = request.name === ''
  if (isPost && !request.dryRun) checkVersionUnset(stored)
  checkFree(state, request, stored)
  if (request.dryRun) return { object: presentObject(request.resource, stored), created: true }
  const written = state.store.put(request.resource.table, stored)
  return { object: presentObject(request.resource, written.object), created: true, stored: written }
}

function fillSystemFields(state: ServerState, { outside }: WriteRequest, object: KubeObject): KubeObject {
  const newUid = (): string => (state.identities ?? randomIdentities).uidOf(object)
  return withMeta(object, {
    uid: outside ? outside.once('uid', newUid) : newUid(),
    creationTimestamp: timestampOf(state.clock.now()),
  })
}

function nameObject(state: ServerState, request: WriteRequest, object: KubeObject): KubeObject {
  const { name, generateName: prefix, namespace = '' } = object.metadata
  if (name || !prefix) return object
  const identities = state.identities ?? randomIdentities
  let generated = identities.nameFor(prefix)
  for (let attempt = 1; attempt < MAX_NAME_ATTEMPTS; attempt++) {
    if (!state.store.get(request.resource.table, namespace, generated)) break
    generated = identities.nameFor(prefix)
  }
  return withMeta(object, { name: request.outside?.once('name', () => generated) ?? generated })
}

/**
 * The storage refuses a version that is a number: after validation, and never in a dry run, which does not reach it.
 * A PUT that creates is an update to the storage, and updates lose the version that was given.
 */
function checkVersionUnset({ metadata: { resourceVersion = '' } }: KubeObject): void {
  if (!/^\d+$/.test(resourceVersion) || BigInt(resourceVersion) === 0n || BigInt(resourceVersion) > MAX_VERSION) return
  throw statusError(500, '', 'resourceVersion should not be set on objects to be created')
}

function checkFree(state: ServerState, request: WriteRequest, object: KubeObject): void {
  const { name = '', namespace = '' } = object.metadata
  const existing = state.store.get(request.resource.table, namespace, name)
  if (!existing) return
  const error = alreadyExists(request.resource, name)
  if (existing.object.metadata.deletionTimestamp === undefined) throw error
  throw statusError(409, error.reason, `object is being deleted: ${error.message}`, {
    details: {
      name,
      ...(request.resource.group !== '' && { group: request.resource.group }),
      kind: request.resource.plural,
    },
  })
}
