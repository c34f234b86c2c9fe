import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import { groupOf, installed, objectBody, pathOf, removed } from '../crd-body.ts'
import type { Step } from '../exchange.ts'

const int = { type: 'integer' }
const schema = {
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: int,
        color: { type: 'string' },
        size: int,
        on: { type: 'boolean' },
        limit: { ...int, maximum: 5 },
      },
    },
    status: { type: 'object', properties: { replicas: int, selector: { type: 'string' }, phase: { type: 'string' } } },
  },
}
const version = {
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  },
  selectableFields: ['.spec.color', '.spec.size', '.spec.on'].map((jsonPath) => ({ jsonPath })),
}

const one = pathOf('scaled', 'one')
const send = (name: string, method: Step['method'], path: string, body?: JsonValue): Step => ({
  name,
  method,
  path,
  ...(body !== undefined && { body }),
  ...(method === 'PATCH' && { headers: { 'content-type': 'application/merge-patch+json' } }),
})
const scale = (spec: JsonValue, metadata: JsonObject = { name: 'one' }): JsonObject => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { namespace: '{ns}', ...metadata },
  spec,
})

const CODEC = 'the real server stumbles over its own Scale type while it words this refusal'
const CREATABLE = 'the real server takes a subresource of a custom resource for the resource itself'

const otherwise = (differs: string, step: Step): Step => ({ ...step, differs })

export const steps: readonly Step[] = [
  ...installed({ singular: 'scaled', schema, version }),
  send(
    'made',
    'POST',
    pathOf('scaled'),
    objectBody('scaled', 'one', { spec: { replicas: 2, color: 'red', size: 3, on: true }, status: { phase: 'No' } }),
  ),
  send('made without replicas', 'POST', pathOf('scaled'), objectBody('scaled', 'two', { spec: { color: 'blue' } })),
  send('the scale', 'GET', `${one}/scale`),
  send('the scale without replicas', 'GET', `${pathOf('scaled', 'two')}/scale`),
  send('the scale of nothing', 'GET', `${pathOf('scaled', 'three')}/scale`),
  send('scaled', 'PUT', `${one}/scale`, scale({ replicas: 5 })),
  send('scaled to the same', 'PUT', `${one}/scale`, scale({ replicas: 5 })),
  send(
    'scaled with a version',
    'PUT',
    `${one}/scale`,
    scale({ replicas: 4 }, { name: 'one', resourceVersion: '{scaled to the same.rv}' }),
  ),
  send(
    'scaled with an old version',
    'PUT',
    `${one}/scale`,
    scale({ replicas: 3 }, { name: 'one', resourceVersion: '{made.rv}' }),
  ),
  send('scaled below zero', 'PUT', `${one}/scale`, scale({ replicas: -1 })),
  send('scaled without a number', 'PUT', `${one}/scale`, scale({})),
  otherwise(CODEC, send('scaled by a text', 'PUT', `${one}/scale`, scale({ replicas: '3' }))),
  send('scaled under another name', 'PUT', `${one}/scale`, scale({ replicas: 3 }, { name: 'other' })),
  send(
    'scaled in another namespace',
    'PUT',
    `${one}/scale`,
    scale({ replicas: 3 }, { name: 'one', namespace: 'default' }),
  ),
  otherwise(CODEC, send('scaled as another kind', 'PUT', `${one}/scale`, { ...scale({ replicas: 3 }), kind: 'Other' })),
  otherwise(CODEC, send('scaled too far', 'PUT', `${one}/scale`, scale({ replicas: 2147483648 }))),
  send('scaled on trial', 'PUT', `${one}/scale?dryRun=All`, scale({ replicas: 9 })),
  send('the scale patched', 'PATCH', `${one}/scale`, { spec: { replicas: 6 } }),
  send('the scale patched elsewhere', 'PATCH', `${one}/scale`, {
    status: { replicas: 6 },
    metadata: { labels: { a: 'b' } },
  }),
  otherwise(CREATABLE, send('a scale made', 'POST', `${one}/scale`, scale({ replicas: 1 }))),
  otherwise(CREATABLE, send('a scale deleted', 'DELETE', `${one}/scale`)),
  send('the status', 'PATCH', `${one}/status`, {
    status: { replicas: 6, selector: 'a=b', phase: 'Up' },
    spec: { color: 'green' },
    metadata: { labels: { a: 'b' } },
  }),
  send('the status through the main endpoint', 'PATCH', one, { status: { phase: 'Down' }, spec: { size: 4 } }),
  send('the scale with a status', 'GET', `${one}/scale`),
  send('the status read', 'GET', `${one}/status`),
  send('a status that is no object', 'PATCH', `${one}/status`, { status: 'x' }),
  send('a status of other types', 'PATCH', `${one}/status`, { status: { replicas: 'x', selector: 1 } }),
  send('a status without a selector', 'PATCH', `${one}/status`, { status: { replicas: null, selector: {} } }),
  send('a status with too few replicas', 'PATCH', `${one}/status`, { status: { replicas: -1 } }),
  send('a status with too many replicas', 'PATCH', `${one}/status`, { status: { replicas: 2147483648 } }),
  send('a status with replicas beyond 64 bits', 'PATCH', `${one}/status`, { status: { replicas: 1e21 } }),
  send('a status removed', 'PATCH', `${one}/status`, { status: null }),
  send(
    'a status put without version',
    'PUT',
    `${one}/status`,
    objectBody('scaled', 'one', { status: { phase: 'Put' } }),
  ),
  ...[
    'spec.color=red',
    'spec.color!=red',
    'spec.size=4',
    'spec.on=true',
    'spec.on=',
    'spec.color=red,spec.size=4',
    'spec.limit=1',
    'metadata.name=one',
    'spec.color',
    'metadata.namespace={ns},spec.color=blue',
  ].map((selector) =>
    send(
      `selected by ${selector}`,
      'GET',
      `${pathOf('scaled')}?fieldSelector=${encodeURIComponent(selector).replace('%7Bns%7D', '{ns}')}`,
    ),
  ),
  send('deleted by field', 'DELETE', `${pathOf('scaled')}?fieldSelector=spec.color%3Dblue`),
  send('what is left', 'GET', pathOf('scaled')),
  send('discovery', 'GET', `/apis/${groupOf('scaled')}/v1`),
  removed('scaled'),
]
