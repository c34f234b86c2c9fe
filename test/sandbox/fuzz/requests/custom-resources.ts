import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Corpus } from '../corpus.ts'
import { type FuzzRequest, NAMES, NAMESPACES } from '../fuzz-request.ts'
import { junk, junkKey, junkText } from '../junk.ts'
import { mutate } from '../mutate.ts'
import type { Random } from '../random.ts'
import { JSON_TYPE, jsonText } from './objects.ts'
import { junkQuery } from './queries.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const GROUP = 'fuzz.example.org'
const PLURALS = ['oddities', 'marvels', 'quirks'] as const

/** CRDs with schemas that are nearly structural, CEL rules included. */
export function crdRequest(random: Random, corpus: Corpus): FuzzRequest {
  const crd = random.chance(0.3) ? (random.pick(corpus.crds) as JsonObject) : oddCrd(random)
  const sent = random.chance(0.7) ? crd : mutate(random, crd)
  const name = (crd.metadata as JsonObject | null)?.name ?? 'x'
  const method = random.pick(['POST', 'POST', 'PUT', 'PATCH', 'DELETE', 'GET'])
  const isNew = method === 'POST'
  const headers: FuzzRequest['headers'] =
    method === 'PATCH' ? [['Content-Type', 'application/apply-patch+yaml']] : JSON_TYPE
  const query = method === 'PATCH' ? '?fieldManager=f&force=true' : ''
  const body = method === 'GET' || method === 'DELETE' ? undefined : Buffer.from(jsonText(random, sent))
  return { topic: 'CRDs', method, path: (isNew ? CRDS : `${CRDS}/${name}`) + query, headers, body }
}

function oddCrd(random: Random): JsonObject {
  const plural = random.pick(PLURALS)
  const kind = plural[0]?.toUpperCase() + plural.slice(1, -1)
  const names = [...random.several(1, () => 'v2'), 'v1']
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural, kind, listKind: `${kind}List`, shortNames: random.several(2, () => junkText(random)) },
      versions: names.map((name) => version(random, name)),
    },
  }
}

function version(random: Random, name: string): JsonObject {
  const properties = {
    spec: schema(random, 3),
    ...(random.chance(0.5) && { status: schema(random, 2) }),
    ...(random.chance(0.1) && { metadata: schema(random, 1) }),
  }
  return {
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', properties, ...validations(random) } },
    ...(random.chance(0.5) && { subresources: { status: {}, ...scale(random) } }),
    ...(random.chance(0.4) && { additionalPrinterColumns: random.several(3, () => column(random)) }),
    ...(random.chance(0.3) && {
      selectableFields: [{ jsonPath: random.pick(['.spec.a', '.spec.b.c', '.spec', 'x']) }],
    }),
  }
}

function scale(random: Random): JsonObject {
  if (random.chance(0.6)) return {}
  const path = (): string => random.pick(['.spec.a', '.spec.replicas', '.status.b', '.spec.b[0]', 'x', ''])
  return { scale: { specReplicasPath: path(), statusReplicasPath: path(), labelSelectorPath: path() } }
}

function column(random: Random): JsonObject {
  const jsonPath = random.pick(['.spec.a', '.spec.b[*].c', '.metadata.creationTimestamp', "{.a['b']}", '.', '..a', '['])
  return {
    name: junkText(random),
    type: random.pick(['string', 'integer', 'date', 'number', 'boolean', 'x']),
    jsonPath,
  }
}

const FIELDS = ['a', 'b', 'c', 'replicas', 'items', 'constructor', '__proto__', 'toString'] as const

function schema(random: Random, depth: number): JsonObject {
  const type = random.pick(['object', 'object', 'array', 'string', 'integer', 'number', 'boolean', 'x'])
  return {
    ...(random.chance(0.95) && { type }),
    ...(random.chance(0.9) && shape(random, type, depth)),
    ...(random.chance(0.2) && Object.fromEntries(random.several(3, () => keyword(random)))),
    ...(random.chance(0.1) && { default: junk(random) }),
    ...validations(random),
  }
}

function shape(random: Random, type: string, depth: number): JsonObject {
  if (depth === 0) return {}
  if (type === 'array') {
    const keys = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [random.pick(FIELDS)] }
    return { items: schema(random, depth - 1), ...(random.chance(0.3) && keys) }
  }
  if (type !== 'object') return {}
  if (random.chance(0.2)) return { additionalProperties: random.chance(0.8) ? schema(random, depth - 1) : true }
  const properties = Object.fromEntries(random.several(4, () => [random.pick(FIELDS), schema(random, depth - 1)]))
  return { properties, ...(random.chance(0.3) && { required: [random.pick(FIELDS)] }) }
}

/** Keywords with values that fit now and then. */
function keyword(random: Random): readonly [string, JsonValue] {
  return random.pick<readonly [string, JsonValue]>([
    ['format', random.pick(['int32', 'date-time', 'byte', 'ipv4', 'duration', 'x', ''])],
    ['pattern', random.pick(['^a+$', '(a+)+$', '[', '\\d{1,5}', '(?=x)', 'a'.repeat(5000)])],
    ['enum', random.several(3, () => junk(random, 1))],
    ['minimum', random.pick([0, -1, 1e308, 'x'])],
    ['maxLength', random.pick([0, 5, -1, 2 ** 53])],
    ['multipleOf', random.pick([0, 0.1, 3, -1])],
    ['nullable', random.pick([true, 'x'])],
    ['not', { type: 'string' }],
    ['anyOf', random.several(3, () => ({ required: [junkKey(random)] }))],
    ['x-kubernetes-int-or-string', true],
    ['x-kubernetes-preserve-unknown-fields', random.pick([true, false])],
    ['x-kubernetes-embedded-resource', true],
    ['x-kubernetes-list-type', random.pick(['set', 'map', 'atomic', 'x'])],
    ['x-kubernetes-map-type', random.pick(['granular', 'atomic', 'x'])],
    [junkKey(random), junk(random)],
  ])
}

function validations(random: Random): JsonObject {
  if (random.chance(0.75)) return {}
  const rules = random.several(3, () => ({
    rule: celRule(random),
    message: random.chance(0.3) ? junkText(random) : undefined,
    messageExpression: random.chance(0.2) ? celRule(random) : undefined,
    reason: random.chance(0.1) ? random.pick(['FieldValueInvalid', 'x']) : undefined,
    fieldPath: random.chance(0.1) ? random.pick(['.a', '.b[0]', 'x']) : undefined,
    optionalOldSelf: random.chance(0.1) ? true : undefined,
  }))
  return { 'x-kubernetes-validations': rules }
}

const CEL = [
  ...['self', 'oldSelf', 'self.a', 'self.b.c', 'self.items', 'has(self.a)', 'self.a == oldSelf.a', '1', "'x'", 'true'],
  ...['self.items.all(x, x > 0)', "self.a.matches('^a+$')", "self.a.matches('(a+)+$')", 'size(self.items) < 5'],
  ...[
    'self.items.map(x, self.items.map(y, x == y))',
    "quantity('1Gi').isGreaterThan(quantity(self.a))",
    'duration(self.a)',
  ],
  ...[
    "self.a.replace('a', 'b')",
    "url(self.a).getHost() == ''",
    "cidr('10.0.0.0/8').containsIP(self.a)",
    'self.?a.orValue(1)',
  ],
  ...[
    'self[',
    '1 / 0',
    '9223372036854775807 + 1',
    "'a' + 1",
    'dyn(self).x',
    '__proto__',
    "self['__proto__']",
    'type(self)',
  ],
] as const

export function celRule(random: Random): string {
  const one = (): string => (random.chance(0.95) ? random.pick(CEL) : junkText(random))
  return random.weighted([
    [4, one],
    [2, () => `${one()} ${random.pick(['==', '<', '&&', '||', '+', 'in', '?', '%'])} ${one()}`],
    [1, () => `!(${one()})`],
    [1, () => `${one()} ? ${one()} : ${one()}`],
    [1, () => `[${one()}, ${one()}].exists(x, x == ${one()})`],
    [0.2, () => '('.repeat(random.below(3000))],
    [0.2, () => Array.from({ length: random.below(2000) }, () => 'true').join(' && ')],
  ])
}

/** Objects of those CRDs. */
export function customRequest(random: Random): FuzzRequest {
  const plural = random.pick(PLURALS)
  const kind = plural[0]?.toUpperCase() + plural.slice(1, -1)
  const namespace = random.pick(NAMESPACES)
  const name = random.pick(NAMES)
  const collection = `/apis/${GROUP}/${random.pick(['v1', 'v1', 'v2'])}/namespaces/${namespace}/${plural}`
  const fields = (): JsonValue =>
    Object.fromEntries(random.several(4, () => [random.pick(FIELDS), random.chance(0.5) ? junk(random, 2) : 1]))
  const metadata = { name, namespace, ...(random.chance(0.1) && { finalizers: [junkText(random)] }) }
  const object = { apiVersion: `${GROUP}/v1`, kind, metadata, spec: fields(), status: fields() }
  const method = random.pick(['POST', 'POST', 'PUT', 'PATCH', 'PATCH', 'GET', 'DELETE'])
  const subresource = random.pick(['', '', '', '/status', '/scale'])
  const path =
    (method === 'POST' ? collection : `${collection}/${name}${subresource}`) +
    (random.chance(0.3) ? junkQuery(random) : '?fieldManager=c')
  const type = method === 'PATCH' ? random.pick(['merge-patch+json', 'apply-patch+yaml', 'json-patch+json']) : 'json'
  const body = method === 'GET' ? undefined : Buffer.from(jsonText(random, object as JsonValue))
  return { topic: 'custom resources', method, path, headers: [['Content-Type', `application/${type}`]], body }
}
