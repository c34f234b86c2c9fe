import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { containersOf, listAt, type OwnObjects, objectAt } from './own-objects.ts'
import { portHint } from './port-hint.ts'
import type { DanglingReference, ReferenceRule } from './reference-rule.ts'

/** Ports by name: of the Pods that a Service selects, and of the Service that an Ingress names. */
export const servicePorts: ReferenceRule = (object, own) => {
  if (object.kind === 'Service') return ofService(object, own)
  return object.kind === 'Ingress' ? backendsOf(object).flatMap((backend) => ofBackend(backend, object, own)) : []
}

function ofService(object: KubeObject, own: OwnObjects): readonly DanglingReference[] {
  const selector = objectAt(object as JsonObject, ['spec', 'selector'])
  const pods = Object.keys(selector).length === 0 ? [] : own.selected(selector, object)
  if (pods.length === 0) return []
  const names = pods.flatMap((pod) =>
    containersOf(pod).flatMap(({ value }) =>
      listAt(value, ['ports']).flatMap(({ name }) => (typeof name === 'string' ? [name] : [])),
    ),
  )
  return listAt(object as JsonObject, ['spec', 'ports']).flatMap(({ targetPort }, index) => {
    if (typeof targetPort !== 'string' || names.includes(targetPort)) return []
    const message = `no container that the Service selects has a port "${targetPort}"`
    const path = ['spec', 'ports', index, 'targetPort']
    return [{ path, message, hint: portHint(targetPort, names, 'the ports'), severity: 'warning' }]
  })
}

interface Backend {
  readonly path: JsonPath
  readonly service: JsonObject
}

function backendsOf(object: KubeObject): readonly Backend[] {
  const found: Backend[] = []
  const walk = (value: JsonValue | undefined, path: JsonPath): void => {
    if (isJsonArray(value)) for (const [index, item] of value.entries()) walk(item, [...path, index])
    if (!isJsonObject(value)) return
    for (const [key, inner] of Object.entries(value)) {
      const isBackend =
        (key === 'backend' || key === 'defaultBackend') && isJsonObject(inner) && isJsonObject(inner.service)
      if (isBackend) found.push({ path: [...path, key, 'service'], service: objectAt(inner, ['service']) })
      else walk(inner, [...path, key])
    }
  }
  walk(object.spec, ['spec'])
  return found
}

function ofBackend({ path, service }: Backend, from: KubeObject, own: OwnObjects): readonly DanglingReference[] {
  const target = own.find('Service', service.name, from)
  if (!target) return []
  const ports = listAt(target as JsonObject, ['spec', 'ports'])
  const { name, number } = objectAt(service, ['port'])
  const field = typeof name === 'string' ? 'name' : 'number'
  const wanted = typeof name === 'string' ? name : number
  const known = ports.map((port) => (field === 'name' ? port.name : port.port)).filter((one) => one !== undefined)
  if (wanted === undefined || known.includes(wanted)) return []
  const message = `the Service "${service.name}" has no port ${JSON.stringify(wanted)}`
  const hint = portHint(String(wanted), known.map(String), 'the ports')
  return [{ path: [...path, 'port', field], message, hint, severity: 'warning' }]
}
