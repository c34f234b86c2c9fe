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
  if (!withTag) return 'IfNotPresent'
  const [, tag, digest] = withTag
  return tag === 'latest' || (tag === undefined && digest === undefined) ? 'Always' : 'IfNotPresent'
}

const COMPONENT = '[a-z0-9]+(?:(?:[.]|_|__|-+)[a-z0-9]+)*'
const HOST = '(?:[A-Za-z0-9][A-Za-z0-9.-]*|\\[[0-9a-fA-F:]+\\])(?::\\d+)?'
const IMAGE = new RegExp(
  `^(?:${HOST}/)?${COMPONENT}(?:/${COMPONENT})*(?::([\\w][\\w.-]{0,127}))?(@[A-Za-z][\\w+.-]*:[0-9a-fA-F]{32,})?$`,
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
