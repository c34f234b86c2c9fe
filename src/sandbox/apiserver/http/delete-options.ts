import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { PropagationPolicy } from '../../../core/kube/propagation.ts'
import { badRequest, invalid, type StatusCause } from '../api-status.ts'
import { jsonKindOf } from '../patch/patch-error.ts'
import type { Preconditions } from '../write/preconditions.ts'
import type { ApiRequest } from './api-request.ts'
import { notAnObject, parseBody, type Refuse } from './decode-body.ts'
import { parseBoolean, parseInteger } from './list-options.ts'
import { checkDryRun } from './write-options.ts'

/** `metav1.DeleteOptions`, checked. */
export interface DeleteOptions {
  readonly dryRun: boolean
  readonly preconditions: Preconditions
  /** The old form of a policy: true is `Orphan`, false `Background`. */
  readonly orphanDependents: boolean | undefined
  readonly propagationPolicy: PropagationPolicy | undefined
  readonly gracePeriodSeconds: number | undefined
}

/**
 * From the body, or, when there is none, from the query.
 *
 * @throws ApiError 400, 422
 */
export function parseDeleteOptions(request: ApiRequest): DeleteOptions {
  return checkDeleteOptions(request.body.length === 0 ? optionsOfQuery(request.query) : optionsOfBody(request))
}

/**
 * Options as they stand in a body.
 *
 * @throws ApiError 400, 422
 */
export function checkDeleteOptions(options: JsonObject): DeleteOptions {
  checkTypes(options, 'DeleteOptions', OPTION_TYPES)
  const preconditions = isJsonObject(options.preconditions) ? options.preconditions : {}
  checkTypes(preconditions, 'Preconditions.preconditions', PRECONDITION_TYPES)
  const { orphanDependents, propagationPolicy: policy } = options as { [name: string]: unknown }
  const dryRun = isJsonArray(options.dryRun) ? options.dryRun.map((item) => textOf(item) ?? '') : []
  const causes = [...checkPolicy(policy as string | undefined, orphanDependents), ...checkDryRun(dryRun)]
  if (causes.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', causes)
  const old = typeof orphanDependents === 'boolean' ? orphanDependents : undefined
  const implied = old === undefined ? undefined : old ? 'Orphan' : 'Background'
  return {
    dryRun: dryRun.length > 0,
    preconditions: { uid: textOf(preconditions.uid), resourceVersion: textOf(preconditions.resourceVersion) },
    orphanDependents: old,
    propagationPolicy: (policy as PropagationPolicy | undefined | null) ?? implied,
    gracePeriodSeconds: typeof options.gracePeriodSeconds === 'number' ? options.gracePeriodSeconds : undefined,
  }
}

function optionsOfQuery(query: URLSearchParams): JsonObject {
  const uid = query.get('uid') || undefined
  const resourceVersion = query.get('resourceVersion') || undefined
  return {
    dryRun: query.getAll('dryRun').filter((value) => value !== ''),
    gracePeriodSeconds: parseInteger(query, 'gracePeriodSeconds'),
    orphanDependents: parseBoolean(query, 'orphanDependents'),
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
    preconditions: { uid, resourceVersion },
  }
}

function optionsOfBody(request: ApiRequest): JsonObject {
  const refuse: Refuse = (cause) => badRequest(`couldn't get version/kind; json parse error: ${cause}`)
  const options = parseBody(request, refuse).value ?? {}
  if (!isJsonObject(options)) throw refuse(notAnObject(options))
  for (const field of ['kind', 'apiVersion']) {
    const value = options[field] ?? ''
    if (typeof value === 'string') continue
    throw refuse(`json: cannot unmarshal ${jsonKindOf(value)} into Go struct field .${field} of type string`)
  }
  const kind = options.kind ?? ''
  const apiVersion = options.apiVersion ?? ''
  if (kind === '' || kind === 'DeleteOptions') return options
  throw badRequest(`no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`)
}

/** Field to its Go type, and what fits it. */
type Types = Readonly<Record<string, readonly [type: string, fits: (value: JsonValue) => boolean]>>

const isText = (value: JsonValue): boolean => typeof value === 'string'

const OPTION_TYPES: Types = {
  dryRun: ['[]string', (value) => isJsonArray(value) && value.every((item) => item === null || isText(item))],
  gracePeriodSeconds: ['int64', Number.isInteger],
  orphanDependents: ['bool', (value) => typeof value === 'boolean'],
  preconditions: ['v1.Preconditions', isJsonObject],
  propagationPolicy: ['v1.DeletionPropagation', isText],
}

const PRECONDITION_TYPES: Types = { uid: ['types.UID', isText], resourceVersion: ['string', isText] }

/** @throws ApiError 400 */
function checkTypes(object: JsonObject, struct: string, types: Types): void {
  for (const [name, [type, fits]] of Object.entries(types)) {
    const value = object[name]
    if (value === undefined || value === null || fits(value)) continue
    const found = typeof value === 'number' && type === 'int64' ? `number ${value}` : jsonKindOf(value)
    throw badRequest(`json: cannot unmarshal ${found} into Go struct field ${struct}.${name} of type ${type}`)
  }
}

function checkPolicy(policy: string | undefined | null, orphanDependents: unknown): readonly StatusCause[] {
  if (policy === undefined || policy === null) return []
  const causes: StatusCause[] = []
  const at = (reason: string, message: string): StatusCause => ({ reason, message, field: 'propagationPolicy' })
  if (typeof orphanDependents === 'boolean') {
    const text = 'orphanDependents and deletionPropagation cannot be both set'
    causes.push(at('FieldValueInvalid', `Invalid value: ${JSON.stringify(policy)}: ${text}`))
  }
  if (!['Foreground', 'Background', 'Orphan'].includes(policy)) {
    const known = '"Foreground", "Background", "Orphan", "nil"'
    const text = `Unsupported value: ${JSON.stringify(policy)}: supported values: ${known}`
    causes.push(at('FieldValueNotSupported', text))
  }
  return causes
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
