import { getPath, type JsonObject, jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { itemsAt, mapItems, textAt, textsAt, withDefaults } from './common/fields.ts'
import { withMetadata } from './common/strategies.ts'
import { validateEndpointSlice } from './endpoint-slice-validation.ts'
import type { KindContext, KindRules } from './kind-rules.ts'

const gvk = { group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice' }

const COUNTED = [['endpoints'], ['ports'], ['addressType'], ['metadata', 'labels']]

export const endpointSlice: KindRules = {
  gvk,
  keepsEmpty: true,
  applyDefaults,
  prepareForCreate: withoutTopology,
  prepareForUpdate: countDropped,
  generationFields: COUNTED,
  warnings: ({ addressType }) => (addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
  validate: validateEndpointSlice,
  columns: columnsOf(gvk, {
    AddressType: (object) => textAt(object, 'addressType'),
    Ports: (object) =>
      shorten(
        itemsAt(object, 'ports').map(({ port, name }) => String(port ?? name)),
        '<unset>',
      ),
    Endpoints: (object) =>
      shorten(
        itemsAt(object, 'endpoints').flatMap((each) => textsAt(each, 'addresses')),
        '<unset>',
      ),
  }),
}

/** A topology that is not written any more is a change all the same. */
function countDropped(given: KubeObject, old: KubeObject, context: KindContext): KubeObject {
  const asGiven = context.stored(given)
  if (jsonEquals(asGiven.endpoints, old.endpoints)) return given
  const written = withoutTopology(given)
  if (!isChanged(asGiven, old) || isChanged(context.stored(written), old)) return written
  return withMetadata(written, { generation: (old.metadata.generation ?? 0) + 1 })
}

function isChanged(object: KubeObject, old: KubeObject): boolean {
  return COUNTED.some((path) => !jsonEquals(getPath(object as JsonObject, path), getPath(old as JsonObject, path)))
}

/** The topology of older versions is not written any more. */
function withoutTopology(object: KubeObject): KubeObject {
  return mapItems(object, 'endpoints', ({ deprecatedTopology: _dropped, ...endpoint }) => endpoint)
}

function applyDefaults(object: KubeObject): KubeObject {
  const withPorts = mapItems(withDefaults(object, { endpoints: null, ports: null }), 'ports', (port) =>
    withDefaults(port, { name: '', protocol: 'TCP' }),
  )
  return mapItems(withPorts, 'endpoints', (endpoint) => withDefaults(endpoint, { conditions: {} }))
}

/** The first three of a list, and how many more there are. */
export function shorten(texts: readonly string[], none: string): string {
  const first = texts.slice(0, 3).join(',')
  return texts.length > 3 ? `${first} + ${texts.length - 3} more...` : first || none
}
