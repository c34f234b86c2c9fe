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
const YAML_TYPE = 'application/yaml'

export interface Forms {
  isServed(transform: Transform): boolean
  /** Answers can be given in YAML, too. */
  readonly withYaml: boolean
  /** Words that no clause asks for what can be served. Defaults to `notAcceptable`. */
  readonly refuse?: () => Error
}

/**
 * The first clause of an `Accept` header that can be served.
 *
 * @throws ApiError 406
 */
export function negotiate(header: string | undefined, { isServed, withYaml, refuse = notAcceptable }: Forms): Accepted {
  if (!header) return { transform: undefined }
  let refusal = refuse
  for (const clause of parseAccept(header)) {
    if (!JSON_TYPES.has(clause.type) && !(withYaml && clause.type === YAML_TYPE)) continue
    const { as: kind = '', g: group = '', v: version = '' } = clause.params
    if (kind === '' && group === '' && version === '') return { transform: undefined }
    const transform = { kind, group, version }
    if (isServed(transform)) return { transform }
    refusal = noFormLeft
  }
  throw refusal()
}

/** Whether YAML is the first that is asked for of what can be served; of a refusal, which has no other form, without one. */
export function prefersYaml(header = '', isRefusal = false): boolean {
  if (!header.includes(YAML_TYPE)) return false
  const first = parseAccept(header).find(({ type }) => type === YAML_TYPE || JSON_TYPES.has(type))
  return first?.type === YAML_TYPE && !(isRefusal && first.params.as)
}

/** 406 of a watch, for which there is no YAML. */
export function notAcceptableAsStream(): Error {
  return statusError(406, 'NotAcceptable', `only the following media types are accepted: ${STREAM_TYPES.join(', ')}`)
}

/** Worded by a handler of the real server. */
export function noFormLeft(): Error {
  const message = `only the following media types are accepted: ${MEDIA_TYPES.join(', ')}`
  return statusError(406, 'NotAcceptable', message)
}

/** Worded by the real server's router, which looks before its handlers do. */
function notAcceptable(): Error {
  return unservable(MEDIA_TYPES)
}

/** The same of what is JSON and nothing else. */
export function notAcceptableAsJson(): Error {
  return unservable(['application/json'])
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

/** Clauses by falling quality; of equal ones those first that name a type, and else as they stand. */
function parseAccept(header: string): readonly Clause[] {
  return header
    .split(',')
    .map(parseClause)
    .sort((left, right) => right.quality - left.quality || Number(left.type === '*/*') - Number(right.type === '*/*'))
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
