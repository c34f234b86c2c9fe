import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import { apiVersionOf, gvkOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../../core/kube/object.ts'
import { API_AUDIENCE, type TokenBinding, type TokenSubject } from '../access/tokens.ts'
import { badRequest, conflict, invalid, notFound, type StatusCause } from '../api-status.ts'
import { textOf } from '../kinds/common/fields.ts'
import { bodyResourceOf, presentObject } from '../served-resource.ts'
import { ensureNamespace } from '../write/object-meta.ts'
import { trackChange } from '../write/track-change.ts'
import { findStored } from '../write/update-object.ts'
import { timestampOf, type WriteRequest } from '../write/write-request.ts'
import { jsonReply, type Reply } from './reply.ts'
import type { ResourceServer } from './resource-request.ts'

const KIND = { group: 'authentication.k8s.io', kind: 'TokenRequest' }
const DEFAULT_SECONDS = 3600
const MIN_SECONDS = 600
const MAX_SECONDS = 2 ** 32

/** POST to `serviceaccounts/<name>/token`. */
export function tokenReply(server: ResourceServer, write: WriteRequest, body: KubeObject): Reply {
  const { state, tokens } = server
  checkName(write, ensureNamespace(body, write))
  const stored = findStored(state, write)
  if (!stored) throw notFound(write.resource, write.name)
  const account = presentObject(write.resource, stored.object).metadata
  const { name = '', namespace = '', uid = '' } = account
  if (body.metadata.uid && body.metadata.uid !== uid) throw otherUid(write, body.metadata.uid, uid)
  const spec: JsonObject = { expirationSeconds: DEFAULT_SECONDS, ...objectOf(body.spec) }
  const seconds = Number(spec.expirationSeconds)
  checkExpiry(seconds)
  const asked = isJsonArray(spec.audiences) ? spec.audiences.map(String) : []
  const audiences = asked.length > 0 ? asked : [API_AUDIENCE]
  const bound = boundTo(server, write, spec.boundObjectRef)
  const issued = state.clock.now()
  const terms = { audiences, issued, expires: issued + seconds * 1000 }
  const token = tokens.issue({ namespace, name, uid, ...bound }, terms)
  const tracked = { ...write, resource: bodyResourceOf(write.resource, 'token') }
  const updated = { ...body, spec } as KubeObject
  const managedFields = trackChange(state, tracked, { updated }).metadata.managedFields?.map(withoutEmptyReference)
  const metadata = { name, namespace, uid, creationTimestamp: timestampOf(issued), managedFields } as JsonObject
  const status = { token, expirationTimestamp: timestampOf(terms.expires) }
  const full = { boundObjectRef: null, ...spec, audiences }
  return jsonReply({ kind: KIND.kind, apiVersion: `${KIND.group}/v1`, metadata, spec: full, status }, 201)
}

/** Go writes a request without a reference with a null: no manager owns the field itself then. */
function withoutEmptyReference(entry: ManagedFieldsEntry): ManagedFieldsEntry {
  const spec = objectOf(objectOf(entry.fieldsV1)['f:spec'])
  const { '.': _itself, ...fields } = objectOf(spec['f:boundObjectRef'])
  if (_itself === undefined) return entry
  return { ...entry, fieldsV1: { ...entry.fieldsV1, 'f:spec': { ...spec, 'f:boundObjectRef': fields } } }
}

function checkName({ name }: WriteRequest, { metadata }: KubeObject): void {
  const given = metadata.name
  if (!given || given === name) return
  const message = `Invalid value: ${JSON.stringify(given)}: must match the service account name if specified`
  throw invalid(KIND, name, [{ reason: 'FieldValueInvalid', message, field: 'metadata.name' }])
}

function otherUid({ name }: WriteRequest, given: string, uid: string): Error {
  const cause = `the UID in the token request (${given}) does not match the UID of the service account (${uid})`
  return conflict({ group: KIND.group, plural: KIND.kind }, name, cause)
}

function checkExpiry(seconds: number): void {
  const refusal = (what: string): StatusCause => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${seconds}: may not specify a duration ${what}`,
    field: 'spec.expirationSeconds',
  })
  if (seconds < MIN_SECONDS) throw invalid(KIND, '', [refusal('less than 10 minutes')])
  if (seconds > MAX_SECONDS) throw invalid(KIND, '', [refusal('larger than 2^32 seconds')])
}

/** The object with which the token ends. */
function boundTo(server: ResourceServer, write: WriteRequest, ref: JsonValue | undefined): Partial<TokenSubject> {
  if (!isJsonObject(ref)) return {}
  const gvk = gvkOf({ apiVersion: textOf(ref.apiVersion), kind: textOf(ref.kind) })
  const field = gvk.group === '' ? BINDABLE[gvk.kind] : undefined
  if (!field) {
    const shown =
      gvk.group === '' && gvk.version === '' ? `/, Kind=${gvk.kind}` : `${apiVersionOf(gvk)}, Kind=${gvk.kind}`
    throw badRequest(
      `cannot bind token to object of type ${gvk.group === '' && gvk.version !== '' ? `/${shown}` : shown}`,
    )
  }
  const name = textOf(ref.name)
  const namespace = field === 'node' ? '' : write.namespace
  const found = server.state.objects.get({ ...gvk, version: 'v1' }, { namespace, name })
  if (!found) throw notFound({ group: '', plural: `${field}s` }, name)
  if (field === 'pod' && objectOf(found.spec).serviceAccountName !== write.name) {
    const account = JSON.stringify(write.name)
    throw badRequest(
      `cannot bind token for serviceaccount ${account} to pod running with different serviceaccount name.`,
    )
  }
  const { uid = '' } = found.metadata
  if (ref.uid && ref.uid !== uid) throw recreated(gvk.kind, name, textOf(ref.uid))
  return { [field]: { name, uid }, ...(field === 'pod' && nodeOf(server, found)) }
}

const BINDABLE: Readonly<Record<string, 'pod' | 'secret' | 'node'>> = { Pod: 'pod', Secret: 'secret', Node: 'node' }

function recreated(kind: string, name: string, uid: string): Error {
  const cause = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`
  return conflict({ group: '', plural: kind }, name, cause)
}

function nodeOf({ state }: ResourceServer, pod: KubeObject): { readonly node?: TokenBinding } {
  const name = textOf(objectOf(pod.spec).nodeName)
  if (name === '') return {}
  const node = state.objects.get({ group: '', version: 'v1', kind: 'Node' }, { namespace: '', name })
  return { node: { name, uid: node?.metadata.uid ?? '' } }
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}
