import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { Ajv } from 'ajv'
import { expect } from 'chai'

interface Entry {
  readonly name: string
  readonly description: string
  readonly fileMatch?: readonly string[]
  readonly url: string
}

const catalog = JSON.parse(readFileSync('schemas/catalog.json', 'utf8')) as { readonly schemas: readonly Entry[] }
const entries = catalog.schemas

/** What SchemaStore asks of its catalogue: https://json.schemastore.org/schema-catalog.json, and what its own tests check beside it. */
const CATALOG_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['$schema', 'version', 'schemas'],
  properties: {
    $schema: { const: 'https://json.schemastore.org/schema-catalog.json' },
    version: { type: 'number' },
    schemas: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'description', 'url'],
        properties: {
          // No word `schema`, and no end in a full stop, a comma, a hyphen or a space.
          name: { type: 'string', pattern: '^(?!.*[Ss]chema).*[^,. \\t-]$' },
          description: { type: 'string', pattern: '^(?!.*[Ss]chema).*[^,. \\t-]$' },
          fileMatch: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', pattern: '\\.yaml$' } },
          url: { type: 'string', pattern: '^https://.*\\.json$' },
        },
      },
    },
  },
}

const matching = (path: string): readonly string[] =>
  entries
    .filter(({ fileMatch = [] }) => fileMatch.some((pattern) => matchesGlob(`/home/me/${path}`, pattern)))
    .map(({ url }) => url)
const fileOf = (url: string): string => `schemas/${url.slice(url.lastIndexOf('/') + 1)}`

describe('the catalogue of the schemas', () => {
  it('is what SchemaStore takes', () => {
    const ajv = new Ajv({ strict: true, allErrors: true })
    expect(ajv.validate(CATALOG_SCHEMA, catalog), ajv.errorsText()).to.equal(true)
    const names = entries.map(({ name }) => name)
    expect(new Set(names).size).to.equal(names.length)
  })

  it('has the addresses that the schemas have as $id', () => {
    const ids = entries.map(({ url }) => JSON.parse(readFileSync(fileOf(url), 'utf8')).$id)
    expect(ids).to.deep.equal(entries.map(({ url }) => url))
    expect(entries.map(({ url }) => fileOf(url))).to.deep.equal([
      'schemas/role.json',
      'schemas/test.json',
      'schemas/watches.json',
    ])
  })

  const files: readonly (readonly [string, string])[] = [
    ['role', '{.,examples/*}/roles/*/role.yaml'],
    ['test', '{.,examples/*}/roles/*/tests/*.yaml'],
  ]
  for (const [schema, pattern] of files) {
    it(`finds the schema ${schema} of each such file, and no other`, () => {
      const paths = globSync(pattern)
      expect(paths.length).to.be.greaterThan(10)
      for (const path of paths)
        expect(matching(path), path).to.deep.equal([`https://rolebook.dev/schemas/v1/${schema}.json`])
    })
  }

  it('takes no other file of a project, and none of an Ansible role', () => {
    const others = globSync(
      '{.,examples/*}/{watches.yaml,roles/*/{crd.yaml,samples/*.yaml,tasks/*.yaml,charts/**/*.yaml}}',
    )
    const ofAnsible = ['watches.yaml', 'roles/web/tasks/main.yml', 'roles/web/tests/test.yml', 'playbooks/role.yaml']
    expect(others.length).to.be.greaterThan(20)
    expect([...others, ...ofAnsible].filter((path) => matching(path).length > 0)).to.deep.equal([])
  })
})
