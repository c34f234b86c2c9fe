import type { JsonObject } from '../../../../src/core/base/json.ts'
import { installed, objectBody, pathOf, removed } from '../crd-body.ts'
import type { Step } from '../exchange.ts'

const text = { type: 'string' }
const preserved = { 'x-kubernetes-preserve-unknown-fields': true }
const schema = {
  properties: {
    spec: {
      type: 'object',
      properties: {
        a: text,
        object: { type: 'object', properties: { x: text } },
        list: { type: 'array', items: { type: 'object', properties: { x: text } } },
        map: { type: 'object', additionalProperties: { type: 'object', properties: { x: text } } },
        free: { type: 'object', ...preserved, properties: { closed: { type: 'object', properties: { x: text } } } },
        any: { ...preserved },
        items: { type: 'array', items: { type: 'object', ...preserved } },
        raw: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          properties: { spec: { type: 'object', properties: { x: text } } },
        },
        freeRaw: { type: 'object', 'x-kubernetes-embedded-resource': true, ...preserved },
        port: { 'x-kubernetes-int-or-string': true },
      },
    },
    status: { type: 'object', properties: { x: text } },
  },
}
const kind = { singular: 'pruned', schema, version: { subresources: { status: {} } } }
const resource = { apiVersion: 'v1', kind: 'A' }

const OBJECTS: readonly JsonObject[] = [
  { spec: { a: 'a', other: 1 } },
  { spec: { object: { x: 'x', y: { z: 1 } } } },
  { spec: { list: [{ x: 'x', y: 1 }, { y: 1 }] } },
  { spec: { map: { k: { x: 'x', y: 1 }, l: { y: 1 } } } },
  { spec: { free: { any: { deep: [1] }, closed: { x: 'x', y: 1 } } } },
  { spec: { any: [{ a: 1 }] } },
  { spec: { any: 'text' } },
  { spec: { items: [{ any: 1 }] } },
  { spec: { raw: { ...resource, spec: { x: 'x', y: 1 }, other: 1 } } },
  { spec: { raw: { ...resource, metadata: { name: 'n', labels: { a: 'b' }, bogus: 1 } } } },
  { spec: { raw: { ...resource, metadata: { name: 'No Name', labels: { 'a b': 'c' } } } } },
  { spec: { raw: { kind: 'A' } } },
  { spec: { raw: { apiVersion: 'a/b/c', kind: 'A b' } } },
  { spec: { raw: { apiVersion: 5, kind: 'A' } } },
  { spec: { freeRaw: { ...resource, spec: { y: 1 }, metadata: { annotations: { a: 1 } } } } },
  { spec: { freeRaw: { ...resource, metadata: 'none' } } },
  { spec: { port: { a: 1 } } },
  { spec: { port: 1.5 } },
  { spec: { port: true } },
  { spec: { a: 'a' }, other: 1, more: {} },
  { spec: { a: 'a' }, status: { x: 'x', y: 1 } },
  { metadata: { name: 'trial', bogus: 1, labels: { a: 'b' } } },
  { metadata: { name: 'trial', labels: { a: 1 } } },
  { spec: [] },
  { spec: 'text' },
  { spec: { list: {} } },
  { spec: { object: [] } },
]
const VALIDATIONS = ['', 'Strict', 'Warn', 'Ignore']

function tried(object: JsonObject, validation: string): Step {
  const query = validation === '' ? '' : `&fieldValidation=${validation}`
  return {
    name: `${JSON.stringify(object)} ${validation}`,
    method: 'POST',
    path: `${pathOf('pruned')}?dryRun=All${query}`,
    body: { ...objectBody('pruned', 'trial'), ...object },
  }
}

const TEXTS = [
  '{"spec":{"a":"1","a":"2"}}',
  '{"spec":{"a":"1"},"spec":{"a":"2"}}',
  '{"spec":{"object":{"x":"1","x":"2","y":1}}}',
  '{"spec":{"any":{"x":"1","x":"2"}}}',
  '{"metadata":{"name":"trial","name":"trial"}}',
]

function written(text: string, validation: string): Step {
  const head = JSON.stringify(objectBody('pruned', 'trial')).slice(1, -1)
  const query = validation === '' ? '' : `&fieldValidation=${validation}`
  const whole = `{${head},${text.slice(1)}`
  return { name: `${text} ${validation}`, method: 'POST', path: `${pathOf('pruned')}?dryRun=All${query}`, text: whole }
}

const one = pathOf('pruned', 'one')
const patches: readonly (readonly [type: string, body: JsonObject | readonly JsonObject[]])[] = [
  ['merge', { spec: { other: 1, object: { y: 1 } } }],
  ['json', [{ op: 'add', path: '/spec/other', value: 1 }]],
  ['merge', { status: { x: 'x', y: 1 } }],
]

export const steps: readonly Step[] = [
  ...installed(kind),
  ...OBJECTS.flatMap((object) => ['Strict', 'Warn'].map((validation) => tried(object, validation))),
  ...OBJECTS.slice(0, 4).flatMap((object) => ['', 'Ignore', 'Other'].map((validation) => tried(object, validation))),
  ...TEXTS.flatMap((text) => VALIDATIONS.map((validation) => written(text, validation))),
  {
    name: 'created',
    method: 'POST',
    path: pathOf('pruned'),
    body: objectBody('pruned', 'one', { spec: { a: 'a', object: {} } }),
  },
  ...patches.flatMap(([type, body]) =>
    ['Strict', 'Warn'].map((validation): Step => {
      const isStatus = JSON.stringify(body).includes('status')
      return {
        name: `patched with ${JSON.stringify(body)} ${validation}`,
        method: 'PATCH',
        path: `${one}${isStatus ? '/status' : ''}?dryRun=All&fieldValidation=${validation}`,
        headers: { 'content-type': `application/${type}-patch+json` },
        body,
      }
    }),
  ),
  ...['Strict', 'Warn', 'Ignore'].map(
    (validation): Step => ({
      name: `applied ${validation}`,
      method: 'PATCH',
      path: `${one}?dryRun=All&fieldManager=m&force=true&fieldValidation=${validation}`,
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: objectBody('pruned', 'one', { spec: { a: 'b', list: [{ y: 1 }] } }),
    }),
  ),
  removed('pruned'),
]
