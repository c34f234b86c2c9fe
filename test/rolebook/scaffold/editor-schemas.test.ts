import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import { expect } from 'chai'
import { parseYaml } from '../../../src/core/yaml/parse-yaml.ts'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'
import { editorSchemaTexts } from '../../../src/rolebook/cli/editor-schemas.ts'
import { SCHEMA_NAMES, type SchemaName } from '../../../src/rolebook/scaffold/editor-schemas.ts'

/** As an editor has them: JSON text, draft-07, with the keywords of the YAML language server. */
const ajv = new Ajv({ allErrors: true, strictTypes: false, strictRequired: false, allowUnionTypes: true })
ajv.addVocabulary(['patternErrorMessage', 'errorMessage', 'doNotSuggest'])
const texts = editorSchemaTexts()
const validators = Object.fromEntries(
  SCHEMA_NAMES.map((name) => [name, ajv.compile(JSON.parse(texts[name]))]),
) as unknown as Record<SchemaName, ValidateFunction>

/** Where the schema does not hold: `/0/kind pattern`. */
function problems(name: SchemaName, text: string): readonly string[] {
  const { documents, diagnostics } = parseYaml(new SourceFile('file.yaml', text))
  expect(diagnostics).to.deep.equal([])
  const validate = validators[name]
  if (validate(documents[0]?.value)) return []
  return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`)
}

/** Files of the checkout, with the schema that is theirs. */
const FILES: readonly (readonly [SchemaName, string])[] = [
  ['watches', '{.,examples/*}/watches.yaml'],
  ['role', '{.,examples/*}/roles/*/role.yaml'],
  ['tasks', '{.,examples/*}/roles/*/tasks/*.yaml'],
  ['test', '{.,examples/*}/roles/*/tests/*.yaml'],
]

describe('the schemas for editors', () => {
  for (const [name, pattern] of FILES) {
    for (const path of globSync(pattern).sort()) {
      it(`take ${path}`, () => expect(problems(name, readFileSync(path, 'utf8'))).to.deep.equal([]))
    }
  }

  for (const path of ['watches.yaml', ...globSync('roles/*/{role.yaml,tests/*.yaml}').sort()]) {
    it(`are named in the first line of ${path}`, () => {
      const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(readFileSync(path, 'utf8')) ?? []
      const name = path.includes('/tests/') ? 'test' : path.endsWith('role.yaml') ? 'role' : 'watches'
      expect(join(dirname(path), schema)).to.equal(`schemas/${name}.json`)
      expect(existsSync(join(dirname(path), schema))).to.equal(true)
    })
  }

  const entry = (more: string): string => `- { group: example.com, version: v1, kind: Web, role: web, ${more} }\n`
  const task = (text: string): string => `tasks:\n  - ${text}\n`
  const step = (text: string): string => `steps:\n  - ${text}\n`
  const broken: readonly (readonly [SchemaName, string, string])[] = [
    ['watches', '[]\n', ' minItems'],
    ['watches', '- { group: example.com, version: v1, kind: Web }\n', '/0 required'],
    ['watches', '- { group: example.com, version: v1, kind: web, role: web }\n', '/0/kind pattern'],
    ['watches', entry('rolle: x'), '/0 additionalProperties'],
    ['watches', entry('playbook: x.yml'), '/0/playbook not'],
    ['watches', entry('maxConcurrentReconciles: 0'), '/0/maxConcurrentReconciles minimum'],
    ['watches', entry('allowedNamespaces: { delete: [a] }'), '/0/allowedNamespaces additionalProperties'],
    [
      'watches',
      entry('selector: { matchExpressions: [{ key: a, operator: Is }] }'),
      '/0/selector/matchExpressions/0/operator enum',
    ],
    ['role', 'vars: {}\n', ' required'],
    ['role', 'tasks: []\n', '/tasks minItems'],
    ['role', task('name: nothing'), '/tasks/0 oneOf'],
    ['role', task('{ fail: { message: a }, set: { a: 1 } }'), '/tasks/0 oneOf'],
    ['role', task('ensuer: {}'), '/tasks/0 additionalProperties'],
    ['role', task('fail: { mesage: a }'), '/tasks/0/fail additionalProperties'],
    ['role', task('get: { apiVersion: v1, kind: Pod }'), '/tasks/0/get required'],
    ['role', task('{ set: { a: 1 }, loop: [1] }'), '/tasks/0/loop not'],
    ['role', task('{ list: { apiVersion: v1, kind: Pod }, waitReady: true }'), '/tasks/0/waitReady not'],
    ['role', task('{ list: { apiVersion: v1, kind: Pod }, register: a-b }'), '/tasks/0/register pattern'],
    ['role', task('block: { tasks: [{ fail: {} }] }'), '/tasks/0/block/tasks/0/fail required'],
    ['role', task('{ ensure: { apiVersion: v1, kind: Pod, metadata: {} }, adopt: always }'), '/tasks/0/adopt enum'],
    ['tasks', 'tasks: []\n', ' type'],
    ['tasks', '- { fail: {} }\n', '/0/fail required'],
    ['test', 'given: []\n', ' required'],
    ['test', step('{}'), '/steps/0 minProperties'],
    ['test', step('{ exect: [] }'), '/steps/0 additionalProperties'],
    ['test', step('patch: { kind: Web }'), '/steps/0/patch required'],
    ['test', step('fail: { code: 200 }'), '/steps/0/fail/code minimum'],
    ['test', step('writes: { deployment: 1 }'), '/steps/0/writes propertyNames'],
  ]
  for (const [name, text, problem] of broken) {
    it(`refuse as ${name} at \`${problem}\`: ${text.trim().replaceAll('\n', ' ')}`, () => {
      expect(problems(name, text)).to.include(problem)
    })
  }

  it('keep what is a name, not a keyword, and say what a pattern means', () => {
    const { items } = JSON.parse(texts.watches)
    expect(items.properties.kind.patternErrorMessage).to.match(/^must be a kind/)
    const role = JSON.parse(texts.role)
    expect(role.$schema).to.equal('http://json-schema.org/draft-07/schema#')
    expect(role.definitions.tasks.items.properties.block.properties.tasks).to.have.all.keys('description', 'allOf')
    expect(texts.role).to.not.include('"explain"')
  })
})
