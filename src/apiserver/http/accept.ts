import { statusError } from '../api-status.ts'

/** What the caller wants an answer turned into. */
export interface Transform {
  readonly kind: string
  readonly group: string
  readonly version: string
}

/** The form of an answer: JSON, and perhaps another kind. */
export interface Accepted {
  readonly transform: Transform | undefined
}

const MEDIA_TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']
const STREAM_TYPES = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch']
const JSON_TYPES = new Set(['application/json', '*/*'])

/**
 * The first clause of an `Accept` header that can be served as JSON. `refuse` words that no clause asks for JSON.
 *
 * @throws ApiError 406
 */
export function negotiate(
  header: string | undefined,
  isServed: (transform: Transform) => boolean,
  refuse: () => Error = notAcceptable,
): Accepted {
  if (!header) return { transform: undefined }
  let refusal = refuse
  for (const clause of parseAccept(header)) {
    if (!JSON_TYPES.has(clause.type)) continue
    const { as: kind = '', g: group = '', v: version = '' } = clause.params
    if (kind === '' && group === '' && version === '') return { transform: undefined }
    const transform = { kind, group, version }
    if (isServed(transform)) return { transform }
    refusal = noFormLeft
  }
  throw refusal()
}

/** Worded by a handler of the real server. */
export function noFormLeft(): Error {
  const message = `only the following media types are accepted: ${MEDIA_TYPES.join(', ')}`
  return statusError(406, 'NotAcceptable', message)
}

/** Worded by the real server's router, which looks before its handlers do. */
export function notAcceptable(): Error {
  return unservable(MEDIA_TYPES)
}

/** The same of what can be listed, and hence watched. */
export function notAcceptableAsList(): Error {
  return unservable([...MEDIA_TYPES, ...STREAM_TYPES])
}

function unservable(types: readonly string[]): Error {
  const message = `406: Not Acceptable\n\nAvailable representations: ${types.join(', ')}`
  return statusError(406, 'NotAcceptable', message, { details: {} })
}

/** 415: the type of the body is none that is understood here. */
export function unsupportedMediaType(types: readonly string[] = MEDIA_TYPES): Error {
  const message = `the body of the request was in an unknown format - accepted media types include: ${types.join(', ')}`
  return statusError(415, 'UnsupportedMediaType', message)
}

interface Clause {
  readonly type: string
  readonly params: Readonly<Record<string, string | undefined>>
  readonly quality: number
}

/** Clauses by falling quality; equal ones as they stand. */
function parseAccept(header: string): readonly Clause[] {
  return header
    .split(',')
    .map(parseClause)
    .sort((left, right) => right.quality - left.quality)
}

function parseClause(text: string): Clause {
  const [type = '', ...parts] = text.split(';').map((part) => part.trim())
  const params: Record<string, string> = Object.create(null)
  for (const part of parts) {
    const [key = '', value = ''] = part.split('=', 2)
    params[key] = value
  }
  return { type, params, quality: Number(params.q ?? 1) || 0 }
}
