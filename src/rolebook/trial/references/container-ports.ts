import type { JsonPath, JsonValue } from '../../../core/base/json.ts'
import { containersOf, listAt, objectAt, templatesOf } from './own-objects.ts'
import { portHint } from './port-hint.ts'
import type { DanglingReference, ReferenceRule } from './reference-rule.ts'

const HANDLERS: readonly JsonPath[] = [
  ...['livenessProbe', 'readinessProbe', 'startupProbe'].map((field) => [field]),
  ...['postStart', 'preStop'].map((field) => ['lifecycle', field]),
]

/** Ports that a probe names must be those of its container. */
export const containerPorts: ReferenceRule = (object) =>
  templatesOf(object).flatMap((template) =>
    containersOf(template).flatMap(({ path, value }): readonly DanglingReference[] => {
      const names = listAt(value, ['ports']).flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
      return HANDLERS.flatMap((handler) =>
        ['httpGet', 'tcpSocket'].flatMap((action) => {
          const { port } = objectAt(value, [...handler, action])
          return isDangling(port, names) ? [dangling([...path, ...handler, action, 'port'], port, names)] : []
        }),
      )
    }),
  )

function isDangling(port: JsonValue | undefined, names: readonly string[]): port is string {
  return typeof port === 'string' && !/^\d+$/.test(port) && !names.includes(port)
}

function dangling(path: JsonPath, port: string, names: readonly string[]): DanglingReference {
  return { path, message: `the container has no port "${port}"`, hint: portHint(port, names, 'its ports') }
}
