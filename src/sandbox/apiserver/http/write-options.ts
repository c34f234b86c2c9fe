import { invalid, quote, type StatusCause, UNPRINTABLE } from '../api-status.ts'
import type { ServedResource } from '../served-resource.ts'
import type { FieldValidation, WriteRequest } from '../write/write-request.ts'
import type { ApiPath } from './api-path.ts'
import type { ApiRequest } from './api-request.ts'

/** In bytes. */
const MAX_MANAGER_LENGTH = 128

/**
 * Create, update and patch options of a query.
 *
 * @throws ApiError 422
 */
export function parseWriteOptions(
  request: ApiRequest,
  resource: ServedResource,
  path: ApiPath,
  optionsKind: string,
): WriteRequest {
  const { query } = request
  const validation = query.get('fieldValidation') ?? ''
  const manager = query.get('fieldManager') ?? ''
  const dryRun = query.getAll('dryRun').filter((value) => value !== '')
  const causes = [...checkDryRun(dryRun), ...checkManager(manager), ...checkValidation(validation)]
  if (causes.length > 0) throw invalid({ group: 'meta.k8s.io', kind: optionsKind }, '', causes)
  return {
    resource,
    namespace: path.namespace ?? '',
    name: path.name,
    subresource: path.subresource,
    manager: manager || managerOfAgent(request.headers['user-agent'] ?? ''),
    user: request.user,
    dryRun: dryRun.length > 0,
    fieldValidation: validation === '' ? 'Warn' : (validation as FieldValidation),
    options: {
      ...(dryRun.length > 0 && { dryRun }),
      ...(manager !== '' && { fieldManager: manager }),
      ...(validation !== '' && { fieldValidation: validation }),
    },
    warn: (text) => request.warn(text),
    outside: request.outside,
  }
}

/** A client that does not name a field manager is known by the first part of its User-Agent. */
export function managerOfAgent(userAgent: string): string {
  const name = userAgent.replace(/\/.*/s, '')
  return name.replace(UNPRINTABLE, '').slice(0, MAX_MANAGER_LENGTH) || 'unknown'
}

export function checkDryRun(values: readonly string[]): readonly StatusCause[] {
  if (values.every((value) => value === 'All')) return []
  const listed = values.map((value) => JSON.stringify(value)).join(',')
  const message = `Unsupported value: [${listed}]: supported values: "All"`
  return [{ reason: 'FieldValueNotSupported', message, field: 'dryRun' }]
}

function checkManager(manager: string): readonly StatusCause[] {
  const causes: StatusCause[] = []
  if (Buffer.byteLength(manager) > MAX_MANAGER_LENGTH) {
    const message = `Too long: may not be more than ${MAX_MANAGER_LENGTH} bytes`
    causes.push({ reason: 'FieldValueTooLong', message, field: 'fieldManager' })
  }
  for (const { 0: character, index } of manager.matchAll(UNPRINTABLE)) {
    const code = (character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')
    const position = Buffer.byteLength(manager.slice(0, index))
    const message = `Invalid value: ${quote(manager)}: invalid character U+${code} (at position ${position})`
    causes.push({ reason: 'FieldValueInvalid', message, field: 'fieldManager' })
  }
  return causes
}

function checkValidation(value: string): readonly StatusCause[] {
  if (['', 'Strict', 'Warn', 'Ignore'].includes(value)) return []
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: "", "Ignore", "Strict", "Warn"`
  return [{ reason: 'FieldValueNotSupported', message, field: 'fieldValidation' }]
}
