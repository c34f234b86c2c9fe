import { isJsonObject, type JsonObject, type JsonValue } from '../../../../core/base/json.ts'
import {
  type FieldErrors,
  forbidden,
  inRange,
  invalid,
  invalidFor,
  notNegative,
  oneOf,
  required,
} from '../common/field-errors.ts'
import { itemsAt, numberAt, objectAt, textAt } from '../common/fields.ts'
import { checkPortName } from '../common/formats.ts'
import { printNumber } from '../decode/go-types.ts'

export function validateProbes(container: JsonObject, field: string): FieldErrors {
  return ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((name) => {
    const probe = container[name]
    return isJsonObject(probe) ? validateProbe(probe, name, `${field}.${name}`) : []
  })
}

/** Hooks of a container, in a pod that gets this time to stop. */
export function validateLifecycle(container: JsonObject, field: string, gracePeriod: number): FieldErrors {
  const lifecycle = objectAt(container, 'lifecycle')
  return ['postStart', 'preStop'].flatMap((name) => {
    const handler = lifecycle[name]
    const place = `${field}.lifecycle.${name}`
    if (!isJsonObject(handler)) return []
    return [...validateHandler(handler, place), ...validateSleep(handler, place, gracePeriod)]
  })
}

/** A hook that does nothing for a while, if it does nothing else. */
function validateSleep(handler: JsonObject, field: string, gracePeriod: number): FieldErrors {
  if (handlersOf(handler)[0]?.[0] !== 'sleep') return []
  const seconds = numberAt(objectAt(handler, 'sleep'), 'seconds')
  if (seconds >= 0 && seconds <= gracePeriod) return []
  const detail = `must be non-negative and less than terminationGracePeriodSeconds (${printNumber(gracePeriod)})`
  return [invalid(`${field}.sleep`, seconds, detail)]
}

/** A port by number or by name. */
export function validatePortReference(port: JsonValue | undefined, field: string): FieldErrors {
  if (typeof port === 'string') return invalidFor(field, port, checkPortName(port))
  return inRange(field, Number(port), [1, 65535])
}

const NOT_NEGATIVE = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold']

function validateProbe(probe: JsonObject, kind: string, field: string): FieldErrors {
  const grace = probe.terminationGracePeriodSeconds
  const threshold = numberAt(probe, 'successThreshold')
  return [
    ...validateHandler(probe, field),
    ...NOT_NEGATIVE.flatMap((name) => notNegative(`${field}.${name}`, probe[name])),
    ...validateGrace(grace, kind, `${field}.terminationGracePeriodSeconds`),
    ...(kind !== 'readinessProbe' && threshold !== 1
      ? [invalid(`${field}.successThreshold`, threshold, 'must be 1')]
      : []),
  ]
}

function validateGrace(grace: JsonValue | undefined, kind: string, field: string): FieldErrors {
  if (typeof grace !== 'number') return []
  return [
    ...(grace <= 0 ? [invalid(field, grace, 'must be greater than 0')] : []),
    ...(kind === 'readinessProbe' ? [invalid(field, grace, 'must not be set for readinessProbes')] : []),
  ]
}

const HANDLERS: Readonly<Record<string, (action: JsonObject, field: string) => FieldErrors>> = {
  exec: (action, field) =>
    Array.isArray(action.command) && action.command.length > 0 ? [] : [required(`${field}.command`)],
  httpGet: (action, field) => [
    ...validatePortReference(action.port, `${field}.port`),
    ...oneOf(`${field}.scheme`, textAt(action, 'scheme'), ['HTTP', 'HTTPS']),
    ...itemsAt(action, 'httpHeaders').flatMap((header) =>
      validateHeader(textAt(header, 'name'), `${field}.httpHeaders`),
    ),
  ],
  tcpSocket: (action, field) => validatePortReference(action.port, `${field}.port`),
  grpc: (action, field) => validatePortReference(action.port, `${field}.port`),
  sleep: () => [],
}

type Handler = readonly [name: string, validate: (action: JsonObject, field: string) => FieldErrors]

function handlersOf(handler: JsonObject): readonly Handler[] {
  return Object.entries(HANDLERS).filter(([name]) => isJsonObject(handler[name]))
}

/** What a probe or a hook does: exactly one thing. */
function validateHandler(handler: JsonObject, field: string): FieldErrors {
  const [first, ...more] = handlersOf(handler)
  if (first === undefined) return [required(field, 'must specify a handler type')]
  const [name, validate] = first
  return [
    ...validate(objectAt(handler, name), `${field}.${name}`),
    ...more.map(([name]) => forbidden(`${field}.${name}`, 'may not specify more than 1 handler type')),
  ]
}

const HEADER_NAME = '[-A-Za-z0-9]+'

function validateHeader(name: string, field: string): FieldErrors {
  if (new RegExp(`^${HEADER_NAME}$`).test(name)) return []
  const rule = "a valid HTTP header must consist of alphanumeric characters or '-'"
  return [invalid(field, name, `${rule} (e.g. 'X-Header-Name', regex used for validation is '${HEADER_NAME}')`)]
}
