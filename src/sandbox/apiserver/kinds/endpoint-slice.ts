import { jsonEquals } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { columnsOf } from './common/columns.ts'
import { emptyListsAsNull } from './common/empty-lists.ts'
import { itemsAt, mapItems, textAt, textsAt, withDefaults } from './common/fields.ts'
import { validateEndpointSlice } from './endpoint-slice-validation.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice' }

export const endpointSlice: KindRules = {
  gvk,
  applyDefaults,
  prepareForCreate: (object) => asStored(object),
  prepareForUpdate: asStored,
  warnings: ({ addressType }) => (addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
  validate: validateEndpointSlice,
  generationFields: [['endpoints'], ['ports'], ['addressType'], ['metadata', 'labels']],
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

const { prepareForCreate: withoutEmptyLists } = emptyListsAsNull(['endpoints'], ['ports'])

/** The topology of older versions is not written any more. */
function asStored(object: KubeObject, old?: KubeObject): KubeObject {
  const stored = withoutEmptyLists(object)
  if (old && jsonEquals(stored.endpoints, old.endpoints)) return stored
  return mapItems(stored, 'endpoints', ({ deprecatedTopology: _dropped, ...endpoint }) => endpoint)
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
