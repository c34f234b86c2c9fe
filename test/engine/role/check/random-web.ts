import fc from 'fast-check'
import type { JsonObject } from '../../../../src/core/base/json.ts'

const word = fc.constantFrom('a', 'web', 'fast', '80', 'x-y')
const port = fc.record(
  { port: fc.integer({ min: 0, max: 99 }), name: word, hosts: fc.array(word, { maxLength: 2 }) },
  { requiredKeys: ['port'] },
)
const spec = fc.record(
  {
    size: fc.integer({ min: 0, max: 9 }),
    name: word,
    memory: fc.constantFrom('1Gi', '500m'),
    ratio: fc.constantFrom(0, 0.5),
    debug: fc.boolean(),
    mode: fc.constantFrom('fast', 'slow'),
    host: word,
    tags: fc.array(word, { maxLength: 3 }),
    config: fc.dictionary(word, word, { maxKeys: 2, noNullPrototype: true }),
    free: fc.constantFrom({ a: [1, { b: 'x' }] }, {}),
    port: fc.oneof(word, fc.integer({ min: 0, max: 9 })),
    'node-port': fc.integer({ min: 0, max: 9 }),
    ports: fc.array(port, { maxLength: 3 }),
  },
  { requiredKeys: ['size', 'name', 'memory'] },
)

/** Objects that the schema of the Web in `checked-role.ts` allows. */
export const randomWeb: fc.Arbitrary<JsonObject> = spec.map((some) => ({
  apiVersion: 'example.com/v1',
  kind: 'Web',
  metadata: { name: 'web', namespace: 'default', uid: 'u', labels: { app: 'web' } },
  spec: some as unknown as JsonObject,
}))

/** One that has everything, lists of several items. */
export const FULL_WEB: JsonObject = {
  apiVersion: 'example.com/v1',
  kind: 'Web',
  metadata: { name: 'web', namespace: 'default', uid: 'u', labels: { app: 'web' } },
  spec: {
    size: 3,
    name: 'web',
    memory: '1Gi',
    ratio: 0.5,
    debug: true,
    mode: 'fast',
    host: 'h',
    tags: ['a', 'b', 'c'],
    config: { a: '1', b: '2' },
    free: { a: [1, { b: 'x' }] },
    port: 'http',
    'node-port': 3,
    ports: [
      { port: 80, name: 'a', hosts: ['h', 'i'] },
      { port: 81, name: 'b', hosts: ['h', 'j'] },
      { port: 82, name: 'a', hosts: ['k', 'l'] },
    ],
  },
}

const PATHS = [
  'spec.size',
  'spec.name',
  'spec.memory',
  'spec.ratio',
  'spec.debug',
  'spec.mode',
  'spec.host',
  'spec.tags',
  'spec.config',
  'spec.config.a',
  'spec.free',
  'spec.free.a',
  'spec.free.a.b',
  'spec.port',
  'spec.`node-port`',
  'spec.ports',
  'spec.ports.port',
  'spec.ports.name',
  'spec.ports.hosts',
  'spec.ports[0]',
  'spec.ports[0].hosts',
  'spec.ports[-1].name',
  'spec.ports[port > 40].name',
  'spec.ports[port > 40].hosts',
  'spec.ports[name = "a"]',
  'spec.ports[name = "a"][]',
  'spec.ports.name[]',
  'spec.ports.hosts[0]',
  'spec.tags[0]',
  'spec.tags[$ != "a"]',
  'spec.ports.{"n": name, "p": port}',
  'spec.ports.(port + 1)',
  'spec.ports.$string(port)',
  'spec.ports{name: port}',
  'spec.ports.port^($)',
  'spec.*',
  '$$.spec.ports.name',
  '$.spec.size',
  'metadata.labels',
  'metadata.name',
  'spec',
  '$',
  'spec.none',
  'spec.ports.none',
  'spec.name.none',
  '$watch',
  '$watch.kind',
]

const FUNCTIONS = [
  '$string',
  '$number',
  '$uppercase',
  '$length',
  '$sum',
  '$max',
  '$count',
  '$exists',
  '$not',
  '$boolean',
  '$keys',
  '$distinct',
  '$reverse',
  '$sort',
  '$spread',
  '$merge',
  '$join',
  '$type',
  '$toJson',
  '$sha256',
  '$entries',
  '$quantity',
  '$abs',
  '$floor',
]

const BINARY = ['+', '-', '*', '/', '%', '&', '=', '!=', '<', '>', '<=', '>=', 'and', 'or', 'in', '??', '?:']

/** Sources over the fields of a Web: most of them can be evaluated, some are wrong. */
export const randomSource: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => {
  const node = tie('node')
  const leaf = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...PATHS) },
    fc.constantFrom('1', '"a"', 'true', '[]', '{}', '"fast"', '[1, 2]', 'null'),
  )
  return {
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.tuple(node, fc.constantFrom(...BINARY), node).map(([left, sign, right]) => `(${left} ${sign} ${right})`),
      fc.tuple(fc.constantFrom(...FUNCTIONS), node).map(([name, arg]) => `${name}(${arg})`),
      fc.tuple(node, fc.constantFrom(...FUNCTIONS)).map(([arg, name]) => `(${arg} ~> ${name})`),
      fc.tuple(node, node).map(([left, right]) => `$append(${left}, ${right})`),
      fc.tuple(node, node).map(([left, right]) => `[${left}, ${right}]`),
      fc.tuple(node, node).map(([left, right]) => `{"k": ${left}, "l": ${right}}`),
      fc.tuple(node, node, node).map(([one, two, three]) => `(${one} ? ${two} : ${three})`),
      fc.tuple(node, node).map(([one, two]) => `($v := ${one}; [$v, ${two}])`),
      fc.tuple(node, node).map(([one, two]) => `(${one}).(${two})`),
      fc.tuple(node, node).map(([one, two]) => `(${one})[${two}]`),
      fc.tuple(node, fc.constantFrom('name', 'port', 'k', 'n')).map(([one, name]) => `(${one}).${name}`),
      fc.tuple(node, node).map(([one, two]) => `$map(${one}, function($i) { ${two} })`),
      fc.tuple(node, node).map(([one, two]) => `$filter(${one}, function($i) { ${two} })`),
      node.map((one) => `-(${one})`),
      node.map((one) => `(${one})[]`),
      node.map((one) => `(${one})[0]`),
    ),
  }
}).node
