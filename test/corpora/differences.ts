import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../../src/core/base/json.ts'
import { BROKEN_OFF } from '../sandbox/contract/exchange.ts'
import type { Class, Shown } from './compare.ts'
import type { LifeStep } from './life-of-document.ts'
import type { CorpusDocument } from './read-documents.ts'

/** A request that was answered otherwise. */
export interface Difference {
  readonly document: CorpusDocument
  readonly step: LifeStep
  readonly class: Class
  readonly real: Shown
  readonly sandbox: Shown
}

export interface Explained {
  /** A line of docs/sandbox-differences.md. */
  readonly reason: string
  readonly covers: (difference: Difference) => boolean
}

/** Where the sandbox answers otherwise on purpose, or cannot do better. Each covers what it names and no more. */
export const EXPLAINED: readonly Explained[] = [
  {
    reason: 'the real server adds what differs, in its own notation of structs',
    covers: (each) => sameDetails(each, (text) => text.replace(/\n@@ .*/s, '')),
  },
  {
    reason: 'the real server shows the template in its own notation of structs',
    covers: (each) =>
      sameDetails(each, (text) => text.replace(/^Invalid value: \{.*\}: field is immutable$/s, 'field is immutable')),
  },
  {
    reason: 'the real server shows the versions of a CRD in its own notation of structs',
    covers: (each) =>
      sameDetails(each, (text) => text.replace(/^Invalid value: \[\{.*\}\](?=: must )/s, 'Invalid value')),
  },
  {
    reason: 'the real server distinguishes an empty map or list from none',
    covers: (each) => sameDetails(each, (text) => text.replace(/ value: (\{\}|\[\]): /g, ' value: null: ')),
  },
  {
    reason: 'of several fields that an apply may not have, the real server names those that it meets first in a Go map',
    covers: ({ real, sandbox, class: kind }) =>
      kind === 'message' && [real, sandbox].every(({ body }) => UNTYPED.test(String(body.message))),
  },
  {
    reason: 'the YAML library of the real server does not know an escaped slash',
    covers: ({ step, real }) =>
      step.name === 'yaml' && real.status === 400 && /found unknown escape character/.test(String(real.body.message)),
  },
  {
    reason: 'the administrators of both servers have other names',
    covers: ({ document, real, sandbox }) =>
      document.object.kind === 'CertificateSigningRequest' &&
      jsonEquals(withoutRequester(real.body), withoutRequester(sandbox.body)),
  },
  {
    reason: 'the sandbox reaches no Service, and says so of a conversion webhook behind one',
    covers: ({ real, sandbox }) =>
      /^conversion webhook for .* failed: .*: service ".*" not found$/.test(String(real.body.message)) &&
      /^conversion webhook for .* failed: .*reaches no Service/.test(String(sandbox.body.message)),
  },
  {
    reason: 'the real server writes the status of what configures it a moment after it is made',
    covers: ({ document, real, sandbox }) =>
      CONFIGURING.has(String(document.object.kind)) &&
      jsonEquals(withoutStatus(real.body), withoutStatus(sandbox.body)),
  },
  {
    reason: 'the real server keeps of `items` in a CRD that it was there, when it is neither a schema nor a list',
    covers: ({ real, sandbox }) =>
      causesOf(real).some(isLostItems) &&
      jsonEquals(without(causesOf(real), isLostItems), without(causesOf(sandbox), isMissingItems)),
  },
  {
    reason: 'the real server complains of each CEL rule below a field whose type it does not know',
    covers: ({ real, sandbox }) =>
      jsonEquals(without(causesOf(real), isRuleWithoutType), causesOf(sandbox)) &&
      causesOf(sandbox).some(({ message }) => /^Unsupported value: /.test(String(message))),
  },
  {
    // It panics over `selectableFields` of a version without a schema.
    reason: 'the real server breaks the connection off',
    covers: ({ real, sandbox }) =>
      real.status === BROKEN_OFF.status && causesOf(sandbox).some(({ field }) => SELECTABLE.test(String(field))),
  },
  {
    reason: 'the real server numbers the volumes of claims of a StatefulSet in the order of a Go map',
    covers: (each) => claimTemplatesOf(each.document).length > 1 && sameDetails(each, withoutVolumeIndex),
  },
]

const SELECTABLE = /^spec\.selectableFields\[\d+\]\.jsonPath$/

/** A single claim has one number only. */
function claimTemplatesOf({ object: { kind, spec } }: CorpusDocument): readonly JsonValue[] {
  const { volumeClaimTemplates } = (kind === 'StatefulSet' && isJsonObject(spec) ? spec : {}) as JsonObject
  return isJsonArray(volumeClaimTemplates) ? volumeClaimTemplates : []
}

function withoutVolumeIndex(text: string): string {
  return text.replace(/(?<=\bvolumes)\[\d+\]/g, '[]')
}

function causesOf({ body }: Shown): readonly JsonObject[] {
  const { causes } = (body.details ?? {}) as JsonObject
  return isJsonArray(causes) ? causes.filter(isJsonObject) : []
}

function without(causes: readonly JsonObject[], isLeftOut: (cause: JsonObject) => boolean): JsonValue {
  return causes.filter((cause) => !isLeftOut(cause))
}

function isMissingItems({ message }: JsonObject): boolean {
  return /^Required value: must have a schema if x-kubernetes-list-type is map$/.test(String(message))
}

function isLostItems({ message }: JsonObject): boolean {
  return /^Invalid value: \{"Schema":null,"JSONSchemas":null\}: must only have a single schema /.test(String(message))
}

function isRuleWithoutType({ field, message }: JsonObject): boolean {
  return String(field).endsWith('.x-kubernetes-validations') && /construct type information/.test(String(message))
}

/** Nor what its controller has written, and who wrote it. */
function withoutStatus({ metadata, status: _, ...rest }: JsonObject): JsonObject {
  const { managedFields, ...meta } = (metadata ?? {}) as JsonObject
  const entries = isJsonArray(managedFields) ? managedFields.filter(isJsonObject) : []
  const ofOthers = entries.filter(({ subresource }) => subresource !== 'status')
  return { ...rest, metadata: { ...meta, managedFields: ofOthers } }
}

/** Kinds whose objects say how the server works. */
const CONFIGURING: ReadonlySet<string> = new Set(['APIService', 'FlowSchema', 'PriorityLevelConfiguration'])
const UNTYPED = /^failed to create typed patch object |error decoding from json: illegal base64/

/** Whether two refusals are the same once the texts of their causes are cut. */
function sameDetails({ real, sandbox }: Difference, cut: (text: string) => string): boolean {
  const [left, right] = [real, sandbox].map(({ status, body }) => [status, mapTexts(body.details ?? null, cut)])
  return real.body.kind === 'Status' && real.body.details !== undefined && jsonEquals(left, right)
}

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  return JSON.parse(JSON.stringify(value), (_key, inner: JsonValue) =>
    typeof inner === 'string' ? change(inner) : inner,
  )
}

/** Nor what follows from it: the real server writes no managers where the requester has more than a name. */
function withoutRequester({ metadata, spec, ...rest }: JsonObject): JsonObject {
  const { managedFields: _, ...meta } = (metadata ?? {}) as JsonObject
  const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...asked } = (spec ?? {}) as JsonObject
  return { ...rest, metadata: meta, spec: asked }
}
