/** The schemas for editors are written in other keywords than those that files are checked with, and take the same. */
import { globSync, readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { parse } from 'yaml'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { TaskRegistry } from '../../../src/engine/role/task-registry.ts'
import { builtinTaskKinds } from '../../../src/engine/tasks/builtin-task-kinds.ts'
import { TEST_SCHEMA } from '../../../src/rolebook/role-test/test-schema.ts'
import {
  editorSchemas,
  SCHEMA_NAMES,
  type SchemaName,
  sourceSchemas,
} from '../../../src/rolebook/scaffold/editor-schemas.ts'
import { withSingleMessages } from '../../../src/rolebook/scaffold/single-messages.ts'

const SOURCES = { registry: new TaskRegistry(builtinTaskKinds), test: TEST_SCHEMA }
const OPTIONS = { strict: false, validateSchema: false }

interface Pair {
  readonly source: ValidateFunction
  readonly editor: ValidateFunction
}

const written = editorSchemas(SOURCES)
const source = sourceSchemas(SOURCES)
const PAIRS = Object.fromEntries(
  SCHEMA_NAMES.map((name) => [
    name,
    { source: new Ajv2020(OPTIONS).compile(source[name]), editor: new Ajv(OPTIONS).compile(written[name]) },
  ]),
) as unknown as Record<SchemaName, Pair>

/** What stands in each place once, in turn. */
const VALUES = [5, true, false, null, 'x', 'once', 'Event', [], {}, ['x'], [5], [{}], { matches: 'x' }, { kind: 'Pod' }]
/** Keys that are added to each object, one at a time. */
const KEYS =
  'ensure set fail loop register waitReady adopt from task reason labels name kind code drop propagation x'.split(' ')

type Container = Record<string | number, unknown>

/** Calls back with the document as it is after each change, which is undone before the next. */
function withEachChange(root: Container, check: (change: string) => void): void {
  const visit = (container: Container, path: string): void => {
    for (const key of Object.keys(container)) {
      const before = container[key]
      for (const value of VALUES) {
        container[key] = value
        check(`${path}/${key} = ${JSON.stringify(value)}`)
      }
      delete container[key]
      if (!Array.isArray(container)) check(`${path}/${key} is gone`)
      container[key] = before
      if (typeof before === 'object' && before !== null) visit(before as Container, `${path}/${key}`)
    }
    if (!Array.isArray(container)) addKeys(container, (key) => check(`${path}/${key} is added`))
  }
  visit(root, '')
}

function addKeys(container: Container, check: (key: string) => void): void {
  for (const key of KEYS.filter((one) => !(one in container))) {
    container[key] = { message: 'x' }
    check(key)
    container[key] = ['x']
    check(key)
    delete container[key]
  }
}

const FILES: Readonly<Record<SchemaName, readonly string[]>> = {
  watches: globSync('{.,examples/*}/watches.yaml'),
  role: globSync('{roles/*,examples/0*/roles/*}/role.yaml'),
  tasks: globSync('{.,examples/*}/roles/*/tasks/*.yaml'),
  test: globSync('roles/*/tests/*.yaml'),
}

/** Of all kinds that the files of the checkout do not have. */
const TEXTS: Readonly<Record<SchemaName, readonly string[]>> = {
  watches: [
    '[{ group: a, version: v1, kind: A, role: a, allowedNamespaces: { read: [a] }, deletion: { propagation: foreground, order: reverse } }]',
    '[{ group: a, version: v1, kind: A, role: a, allowedNamespaces: [a], deletion: background }]',
  ],
  role: [
    'tasks: [{ ensure: { apiVersion: v1, kind: Secret, metadata: { name: a } }, after: [a, { task: b, optional: true }], readyWhen: true, ' +
      'handOver: [a], adopt: { from: [helm] }, generate: { a: { length: 20, charset: hex } } }, { block: { tasks: [{ fail: { message: a } }] } }]',
    'tasks: [{ list: { apiVersion: v1, kind: Pod }, register: a }, { set: { a: 1 } }, { event: { type: Normal, reason: A, message: a } }]',
  ],
  tasks: [
    '[{ fail: { message: a } }]',
    '[{ block: { tasks: [{ list: { apiVersion: v1, kind: Pod }, register: a, when: true, name: b }] }, after: [{ task: b }] }]',
  ],
  test: [
    'steps: [{ fail: [{ code: 500 }, { drop: after, verb: get }], delete: { kind: A, name: a }, create: [{ kind: A }], writes: { Deployment: 1 }, leaks: [] }]',
    'steps: [{ fail: { code: 500 }, delete: [{ kind: A, name: a }], create: { kind: A } }]',
    'steps: [{ expect: [{ kind: Event, reason: A }, { kind: A, labels: { a: b } }], absent: [{ kind: Event, reason: A }, { kind: A, name: { matches: a } }] }]',
  ],
}

/** Schemas in keywords that the schemas of rolebook do not need now, with values that tell whether the rewritten one takes the same. */
const OTHERS: readonly {
  readonly name: string
  readonly schema: JsonObject
  readonly keeps?: boolean
  readonly values: unknown[]
}[] = [
  {
    name: 'alternatives that restrict one type twice',
    schema: {
      anyOf: [
        { type: 'string', minLength: 3 },
        { type: 'string', pattern: '^a' },
      ],
    },
    keeps: true,
    values: ['a', 'b', 'bcd', 5],
  },
  {
    name: 'an alternative that takes everything',
    schema: { anyOf: [true, { type: 'string' }] },
    keeps: true,
    values: ['a', 5],
  },
  {
    name: 'alternatives of texts that are no words',
    schema: { anyOf: [{ type: 'string', enum: ['a b', '*'] }, { type: 'number' }] },
    keeps: true,
    values: ['a b', '*', 'a', 5, true],
  },
  {
    name: 'one key among any others',
    schema: { properties: { a: {}, b: {} }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    values: [{}, { a: 1 }, { b: 1 }, { a: 1, b: 1 }, { a: 1, c: 1 }, { c: 1 }],
  },
  {
    name: 'one key where no other may stand',
    schema: {
      properties: { a: {}, b: {} },
      additionalProperties: false,
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    values: [{}, { a: 1 }, { a: 1, b: 1 }, { c: 1 }, { a: 1, c: 1 }],
  },
  {
    name: 'one key where no key may stand',
    schema: { additionalProperties: false, oneOf: [{ required: ['a'] }] },
    values: [{}, { a: 1 }, { c: 1 }],
  },
  {
    name: 'a condition with both ends',
    schema: parse('{ if: { properties: { a: { const: 1 } } }, then: { required: ["b"] }, else: { required: ["c"] } }'),
    values: [{}, { a: 1 }, { a: 1, b: 1 }, { a: 2 }, { a: 2, c: 1 }, { b: 1 }],
  },
  {
    name: 'a condition without an end for what does not meet it',
    schema: parse('{ if: { properties: { a: { const: 1 } } }, then: { required: ["b"] } }'),
    values: [{}, { a: 1 }, { a: 1, b: 1 }, { a: 2 }],
  },
  {
    name: 'a condition without an end for what meets it',
    schema: parse('{ if: { properties: { a: { const: 1 } }, required: ["a"] }, else: { required: ["c"] } }'),
    values: [{}, { a: 1 }, { a: 2 }, { c: 1 }],
  },
  {
    name: 'names with a pattern',
    schema: { propertyNames: { pattern: '^a' }, additionalProperties: { type: 'number' } },
    values: [{}, { a: 1 }, { a: 'x' }, { b: 1 }],
  },
  {
    name: 'names with a pattern and a length',
    schema: { propertyNames: { pattern: '^a', maxLength: 2 } },
    keeps: true,
    values: [{}, { a: 1 }, { abc: 1 }, { b: 1 }],
  },
]

describe('a schema for editors', () => {
  for (const { name, schema, keeps = false, values } of OTHERS) {
    it(`${keeps ? 'stays as it is' : 'takes the same'} with ${name}`, () => {
      const written = withSingleMessages(schema)
      if (keeps) expect(written).to.deep.equal(schema)
      else expect(written).not.to.deep.equal(schema)
      const [given, rewritten] = [new Ajv(OPTIONS).compile(schema), new Ajv(OPTIONS).compile(written)]
      expect(values.map((value) => rewritten(value))).to.deep.equal(values.map((value) => given(value)))
    })
  }
})

describe('the schemas for editors and those that files are checked with', () => {
  for (const name of SCHEMA_NAMES) {
    it(`take the same as ${name}`, () => {
      const { source, editor } = PAIRS[name]
      const differences: string[] = []
      const counts = { taken: 0, refused: 0 }
      for (const text of [...FILES[name].map((path) => readFileSync(path, 'utf8')), ...TEXTS[name]]) {
        const document = parse(text) as Container
        expect(source(document), JSON.stringify(source.errors)).to.equal(true)
        withEachChange(document, (change) => {
          const isTaken = source(document)
          counts[isTaken ? 'taken' : 'refused']++
          if (editor(document) !== isTaken) differences.push(`${change}: ${isTaken ? 'taken' : 'refused'} by a check`)
        })
      }
      expect(differences.slice(0, 5)).to.deep.equal([])
      expect(Math.min(counts.taken, counts.refused)).to.be.greaterThan(20)
    })
  }
})
