import type { JsonObject } from '../../../../core/base/json.ts'
import { mapField, mapFields, mapItems, textAt, withDefaults } from '../common/fields.ts'
import { canonicalRequirements } from '../common/quantity.ts'

export function containerDefaults(given: JsonObject): JsonObject {
  let container = withDefaults(given, {
    imagePullPolicy: pullPolicyOf(textAt(given, 'image')),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    resources: {},
  })
  container = mapItems(container, 'ports', (port) => withDefaults(port, { protocol: 'TCP' }))
  container = mapItems(container, 'env', environmentDefaults)
  return mapFields(container, FIELDS)
}

const FIELDS = {
  livenessProbe: probeDefaults,
  readinessProbe: probeDefaults,
  startupProbe: probeDefaults,
  lifecycle: lifecycleDefaults,
  resources: canonicalRequirements,
}

/** `Always` for an image without tag and digest or with the tag `latest`. */
export function pullPolicyOf(image: string): string {
  const withTag = IMAGE.exec(image)
  if (!withTag || IDENTIFIER.test(image)) return 'IfNotPresent'
  const [, domain = '', path = '', tag, digest] = withTag
  if (pathOf(domain, path).length > LONGEST_PATH) return 'IfNotPresent'
  return tag === 'latest' || (tag === undefined && digest === undefined) ? 'Always' : 'IfNotPresent'
}

const COMPONENT = '[a-z0-9]+(?:(?:[.]|_|__|-+)[a-z0-9]+)*'
const HOST = '(?:[A-Za-z0-9][A-Za-z0-9.-]*|\\[[0-9a-fA-F:]+\\])(?::\\d+)?'
/** Where an image is at its registry: the first part of a name is a registry only if it looks like one. */
function pathOf(first: string, rest: string): string {
  if (/[.:A-Z]|^localhost\/$/.test(first)) return rest
  return first === '' && !rest.includes('/') ? `library/${rest}` : `${first}${rest}`
}

/** Such a name would be taken for the id of an image. */
const IDENTIFIER = /^[a-f0-9]{64}$/
const LONGEST_PATH = 255
const IMAGE = new RegExp(
  `^(${HOST}/)?(${COMPONENT}(?:/${COMPONENT})*)(?::([\\w][\\w.-]{0,127}))?(@[A-Za-z][\\w+.-]*:[0-9a-fA-F]{32,})?$`,
)

function environmentDefaults(variable: JsonObject): JsonObject {
  return mapField(variable, 'valueFrom', fieldSourceDefaults)
}

/** `fieldRef` and `resourceFieldRef`, in environments and in downward volumes. */
export function fieldSourceDefaults(source: JsonObject): JsonObject {
  const withVersion = mapField(source, 'fieldRef', (reference) => withDefaults(reference, { apiVersion: 'v1' }))
  return mapField(withVersion, 'resourceFieldRef', (reference) => withDefaults(reference, { divisor: '0' }))
}

function probeDefaults(probe: JsonObject): JsonObject {
  const timed = withDefaults(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 })
  return mapField(handlerDefaults(timed), 'grpc', (grpc) => withDefaults(grpc, { service: '' }))
}

function lifecycleDefaults(lifecycle: JsonObject): JsonObject {
  return mapField(mapField(lifecycle, 'postStart', handlerDefaults), 'preStop', handlerDefaults)
}

function handlerDefaults(handler: JsonObject): JsonObject {
  return mapField(handler, 'httpGet', (get) => withDefaults(get, { path: '/', scheme: 'HTTP' }))
}
