import { type JsonObject, type JsonValue, jsonEquals } from '../../src/core/base/json.ts'
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
]

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
