import { expect } from 'chai'
import { checkShapes } from '../../../src/core/schema/check-shape.ts'
import type { Diagnostic } from '../../../src/core/yaml/diagnostic.ts'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'
import { checkSample, checkSchemasOf } from '../../../src/rolebook/config/check-schemas.ts'
import { missingStatusFields } from '../../../src/rolebook/config/custom-resource-definition.ts'
import { type Manifest, parseManifests } from '../../../src/rolebook/config/parse-manifests.ts'
import { projectSchemas } from '../../../src/rolebook/config/project-schemas.ts'
import { loadBuiltinSchemas } from '../../../src/sandbox/cluster/load-builtin-schemas.ts'

const CRD = (schema: string, more = '') => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: webs.example.com}
spec:
  group: example.com
  names: {kind: Web, plural: webs}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema: ${schema}
${more}`

const WEB = '{type: object, properties: {spec: {type: object, properties: {size: {type: integer, maximum: 5}}}}}'

describe('the schema of a CRD', () => {
  const cases: readonly { name: string; schema: string; more?: string; expected: readonly string[] }[] = [
    { name: 'in order', schema: WEB, expected: [] },
    { name: 'none', schema: WEB, more: '    - {name: v2, served: true, storage: false}\n', expected: [] },
    {
      name: 'a text',
      schema: 'object',
      expected: ['13:26 `openAPIV3Schema` has to be a schema'],
    },
    {
      name: 'a property without value',
      schema: '{type: object, properties: {spec: }}',
      expected: ['13:60 `openAPIV3Schema.properties.spec` has to be a schema'],
    },
    {
      name: 'properties as a list',
      schema: '{type: object, properties: [spec]}',
      expected: ['13:53 `openAPIV3Schema.properties` has to be schemas by name'],
    },
    {
      name: 'alternatives as one',
      schema: '{type: object, anyOf: {required: [spec]}}',
      expected: ['13:48 `openAPIV3Schema.anyOf` has to be a list of schemas'],
    },
    {
      name: 'an alternative that is a text',
      schema: '{type: object, oneOf: [spec]}',
      expected: ['13:49 `openAPIV3Schema.oneOf[0]` has to be a schema'],
    },
    {
      name: 'plain keywords of other types',
      schema: '{type: [object], required: spec, nullable: maybe, not: {}, items: {type: 1}, additionalProperties: [1]}',
      expected: [
        '13:33 `openAPIV3Schema.type` has to be a text',
        '13:53 `openAPIV3Schema.required` has to be a list of texts',
        '13:69 `openAPIV3Schema.nullable` has to be true or false',
        '13:99 `openAPIV3Schema.items.type` has to be a text',
        '13:125 `openAPIV3Schema.additionalProperties` has to be a schema',
      ],
    },
    {
      name: 'a list without items',
      schema: '{type: object, properties: {spec: {type: array}}, additionalProperties: true}',
      expected: [
        '13:98 a server refuses `openAPIV3Schema.additionalProperties`: Forbidden: must not be used at the root',
        '13:60 a server refuses `openAPIV3Schema.properties[spec].items`: Required value: must be specified',
      ],
    },
    {
      name: 'wrong in the second of two versions',
      schema: WEB,
      more: '    - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {spec: {}}}}}\n',
      expected: [
        '14:108 a server refuses `spec.versions[1].schema.openAPIV3Schema.properties[spec].type`: Required value: must not be empty for specified object fields',
      ],
    },
  ]

  for (const { name, schema, more, expected } of cases) {
    it(`${name}: RB1317`, () => {
      const found = checkSchemasOf(manifestOf(CRD(schema, more)))
      expect(linesOf(found)).to.deep.equal(expected)
      expect(found.every(({ code, severity }) => code === 'RB1317' && severity === 'error')).to.equal(true)
    })
  }
})

describe('what is not a CRD at all', () => {
  for (const spec of [undefined, {}, { versions: [5] }, { versions: [{ schema: {} }] }])
    it(`${JSON.stringify(spec)} has no schema of a wrong shape`, () => expect(checkShapes(spec)).to.deep.equal([]))
})

describe('a sample', () => {
  const schemas = projectSchemas({ builtin: loadBuiltinSchemas() }, [manifestOf(CRD(WEB))])
  const sample = (body: string, kind = 'Web') =>
    manifestOf(`apiVersion: example.com/v1\nkind: ${kind}\nmetadata: {name: a, annotations: {a.b/c: x}}\n${body}\n`)
  const cases: readonly { name: string; sample: Manifest; expected: readonly string[] }[] = [
    { name: 'in order', sample: sample('spec: {size: 5}'), expected: [] },
    { name: 'of a kind without a schema', sample: sample('spec: 7', 'Other'), expected: [] },
    {
      name: 'with a value that the schema refuses',
      sample: sample('spec: {size: 6}'),
      expected: [
        '4:14 a server refuses `spec.size`: Invalid value: 6: spec.size in body should be less than or equal to 5',
      ],
    },
    {
      name: 'with a text for a number',
      sample: sample('spec: {size: "5"}'),
      expected: ['4:14 a server refuses `spec.size`: this is text, where a whole number is wanted'],
    },
    {
      name: 'with a field that the schema does not have',
      sample: sample('spec: {size: 5, sise: 5}'),
      expected: ['4:17 `spec.sise` is a field that the schema of Web does not have: a server drops it'],
    },
    {
      name: 'with a wrong key that has dots',
      sample: sample('spec: {"my.size": 5}'),
      expected: ['4:8 `spec.my.size` is a field that the schema of Web does not have: a server drops it'],
    },
  ]

  for (const { name, sample: manifest, expected } of cases)
    it(`${name}: RB1318`, () => {
      expect(linesOf(checkSample(manifest, schemas))).to.deep.equal(expected)
    })
})

describe('the kinds that a cluster serves', () => {
  it('are all that is known where its schemas are at hand: none of what every server has', () => {
    const builtin = loadBuiltinSchemas()
    const deployment = { group: 'apps', version: 'v1', kind: 'Deployment' }
    const own = projectSchemas({ builtin, served: { get: () => undefined } }, [])
    expect([own.isWhole, own.versionsWith('Deployment'), own.kindsOf('apps/v1')]).to.deep.equal([false, [], undefined])
    expect(own.get(deployment)).to.equal(builtin.get(deployment))
    const every = projectSchemas({ builtin }, [])
    expect([every.isWhole, every.versionsWith('Deployment')]).to.deep.equal([true, ['apps/v1']])
    expect(every.kindsOf('apps/v1')).to.include('Deployment')
  })
})

describe('the room that a status has for conditions', () => {
  const status = (conditions: string): string =>
    `{type: object, properties: {status: {type: object, properties: {observedGeneration: {type: integer}, conditions: ${conditions}}}}}`
  const cases: readonly [name: string, conditions: string, lost: readonly string[] | undefined][] = [
    ['as open items', '{type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}', undefined],
    ['of a shape that is not known', '{x-kubernetes-preserve-unknown-fields: true}', undefined],
    ['as texts', '{type: array, items: {type: string}}', undefined],
    [
      'without most of their fields',
      '{type: array, items: {type: object, properties: {type: {type: string}}}}',
      ['status, reason, message, lastTransitionTime of a condition'],
    ],
  ]
  for (const [name, conditions, lost] of cases) {
    it(`${name} ${lost ? 'is too little' : 'is no matter of a warning'}`, () => {
      expect(missingStatusFields(manifestOf(CRD(status(conditions))), 'v1')?.fields).to.deep.equal(lost)
    })
  }
})

describe('a type that is wrong is named as the author would', () => {
  const fields =
    'both: {x-kubernetes-int-or-string: true}, day: {type: string, format: date}, list: {type: array, items: {type: string}}'
  const web = `{type: object, properties: {spec: {type: object, properties: {${fields}}}}}`
  const schemas = projectSchemas({ builtin: loadBuiltinSchemas() }, [manifestOf(CRD(web))])
  const cases = [
    { spec: 'both: true', said: 'this is true or false, where a whole number or text is wanted' },
    { spec: 'list: {}', said: 'this is a map, where a list is wanted' },
    { spec: 'list:', said: 'this is empty, where a list is wanted' },
    { spec: 'day: string', said: 'Invalid value: "string": spec.day in body must be of type date: "string"' },
  ]
  for (const { spec, said } of cases)
    it(spec, () => {
      const sample = manifestOf(`apiVersion: example.com/v1\nkind: Web\nmetadata: {name: a}\nspec:\n  ${spec}\n`)
      expect(checkSample(sample, schemas).map(({ message }) => message.replace(/^.*?`: /, ''))).to.deep.equal([said])
    })
})

describe('what is refused is put right by a hint', () => {
  const policy = 'policy: {type: string, enum: [noeviction, allkeys-lru]}'
  const more =
    'memory: {type: string, pattern: "^[0-9]+Mi$"}, day: {type: string, format: date, minLength: 3, maxLength: 20}, ' +
    'level: {type: string, enum: ["8.2", other]}, odd: {type: string, not: {pattern: "5"}}'
  const fields = `${more}, version: {type: string}, ${policy}, storage: {type: object}`
  const web = `{type: object, properties: {spec: {type: object, properties: {${fields}}}}}`
  const schemas = projectSchemas({ builtin: loadBuiltinSchemas() }, [manifestOf(CRD(web))])
  const cases = [
    { name: 'a number where a text is wanted', spec: 'version: 7.2', hint: 'write "7.2"' },
    { name: 'an item of an enumeration', spec: 'policy: allkey-lru', hint: 'did you mean "allkeys-lru"?' },
    {
      name: 'a number whose text is refused too',
      spec: 'memory: 512',
      hint: "it takes text that matches '^[0-9]+Mi$'",
    },
    {
      name: 'a number whose text has other rules',
      spec: 'day: 1',
      hint: 'it takes text of the format date, of at least 3 characters, of at most 20 characters',
    },
    { name: 'a number whose text is refused by what has no few words', spec: 'odd: 5', hint: undefined },
    { name: 'none that is like it', spec: 'policy: random', hint: undefined },
    { name: 'a field', spec: 'storge: {}', hint: 'did you mean `storage`?' },
  ]
  for (const { name, spec, hint } of cases)
    it(name, () => {
      const sample = manifestOf(`apiVersion: example.com/v1\nkind: Web\nmetadata: {name: a}\nspec:\n  ${spec}\n`)
      expect(checkSample(sample, schemas).map((found) => found.hint)).to.deep.equal([hint])
    })
})

it('a default is not put into quotes that its own schema refuses', () => {
  const web = (value: string) =>
    CRD(
      `{type: object, properties: {spec: {type: object, properties: {m: {type: string, pattern: Mi$, default: ${value}}}}}}`,
    )
  expect(checkSchemasOf(manifestOf(web('5'))).map(({ hint }) => hint)).to.deep.equal([
    "it takes text that matches 'Mi$'",
  ])
  expect(checkSchemasOf(manifestOf(web('5Mi')))).to.deep.equal([])
})

function manifestOf(text: string): Manifest {
  return parseManifests(new SourceFile('a.yaml', text)).manifests[0] as Manifest
}

function linesOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}`)
}
