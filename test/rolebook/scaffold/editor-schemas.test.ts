import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import { expect } from 'chai'
import { parseYaml } from '../../../src/core/yaml/parse-yaml.ts'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'
import { editorSchemaTexts } from '../../../src/rolebook/cli/editor-schemas.ts'
import { SCHEMA_NAMES, type SchemaName } from '../../../src/rolebook/scaffold/editor-schemas.ts'

/**
 * As an editor has them: JSON text, draft-07, with the keywords of the YAML language server. Everything that ajv's strict mode calls a mistake of the
 * schema is one here. A list of types is none: in `anyOf`, each of them would be a message of its own.
 */
const ajv = new Ajv({ strict: true, strictTypes: true, strictRequired: true, allowUnionTypes: true, allErrors: true })
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
  const made = (text: string): string =>
    task(`{ ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: a } }, ${text} }`)
  /** Mistakes, each with all that a validator says of it. */
  const broken: readonly (readonly [SchemaName, string, ...string[]])[] = [
    ['watches', '[]\n', ' minItems'],
    ['watches', '- { group: example.com, version: v1, kind: Web }\n', '/0 required'],
    ['watches', '- { group: example.com, version: v1, kind: web, role: web }\n', '/0/kind pattern'],
    ['watches', entry('rolle: x'), '/0 additionalProperties'],
    ['watches', entry('playbook: x.yml'), '/0/playbook not'],
    ['watches', entry('maxConcurrentReconciles: 0'), '/0/maxConcurrentReconciles minimum'],
    ['watches', entry('allowedNamespaces: all'), '/0/allowedNamespaces type'],
    ['watches', entry('allowedNamespaces: []'), '/0/allowedNamespaces minItems'],
    ['watches', entry('allowedNamespaces: [Web]'), '/0/allowedNamespaces/0 pattern'],
    ['watches', entry('allowedNamespaces: { delete: [a] }'), '/0/allowedNamespaces additionalProperties'],
    ['watches', entry('deletion: backward'), '/0/deletion pattern'],
    ['watches', entry('deletion: [foreground]'), '/0/deletion type'],
    ['watches', entry('deletion: { propagation: background }'), '/0/deletion/propagation enum'],
    ['watches', entry('deletion: { order: reverse }'), '/0/deletion required'],
    [
      'watches',
      entry('selector: { matchExpressions: [{ key: a, operator: Is }] }'),
      '/0/selector/matchExpressions/0/operator enum',
    ],
    ['role', 'vars: {}\n', ' required'],
    ['role', 'tasks: []\n', '/tasks minItems'],
    ['role', task('name: nothing'), '/tasks/0 not'],
    ['role', task('{}'), '/tasks/0 not'],
    ['role', task('{ fail: { message: a }, set: { a: 1 } }'), '/tasks/0/fail false schema'],
    ['role', task('ensuer: {}'), '/tasks/0 additionalProperties'],
    ['role', task('{ name: nothing, when: true, ensuer: {} }'), '/tasks/0 additionalProperties'],
    ['role', task('block: { tasks: [{ ensuer: {} }] }'), '/tasks/0/block/tasks/0 additionalProperties'],
    ['role', task('fail: { message: a, mesage: b }'), '/tasks/0/fail additionalProperties'],
    ['role', task('get: { apiVersion: v1, kind: Pod }'), '/tasks/0/get required'],
    ['role', task('{ set: { a: 1 }, loop: [1] }'), '/tasks/0/loop false schema'],
    ['role', task('{ list: { apiVersion: v1, kind: Pod }, waitReady: true }'), '/tasks/0/waitReady false schema'],
    ['role', task('{ list: { apiVersion: v1, kind: Pod }, register: a-b }'), '/tasks/0/register pattern'],
    ['role', task('block: { tasks: [{ fail: {} }] }'), '/tasks/0/block/tasks/0/fail required'],
    ['role', task('event: { type: 5, reason: Done, message: b }'), '/tasks/0/event/type type'],
    ['role', made('wehn: true'), '/tasks/0 additionalProperties'],
    ['role', made('when: []'), '/tasks/0/when type'],
    ['role', made('after: [5]'), '/tasks/0/after/0 type'],
    ['role', made('after: [{ task: A, optionla: true }]'), '/tasks/0/after/0 additionalProperties'],
    ['role', made('readyWhen: 5'), '/tasks/0/readyWhen type'],
    ['role', made('readyWhen: false'), '/tasks/0/readyWhen not'],
    ['role', made('drift: twice'), '/tasks/0/drift enum'],
    ['role', made('handOver: { a: 1 }'), '/tasks/0/handOver type'],
    ['role', made('handOver: [5]'), '/tasks/0/handOver/0 type'],
    ['role', made('adopt: always'), '/tasks/0/adopt pattern'],
    ['role', made('adopt: 5'), '/tasks/0/adopt type'],
    ['role', made('adopt: { from: [] }'), '/tasks/0/adopt/from minItems'],
    ['role', made('generate: { "a b": {} }'), '/tasks/0/generate additionalProperties'],
    ['role', made('generate: { a: { lenght: 5 } }'), '/tasks/0/generate/a additionalProperties'],
    ['tasks', 'tasks: []\n', ' type'],
    ['tasks', '- { fail: {} }\n', '/0/fail required'],
    ['test', 'given: []\n', ' required'],
    ['test', step('{}'), '/steps/0 minProperties'],
    ['test', step('{ exect: [] }'), '/steps/0 additionalProperties'],
    ['test', step('patch: { kind: Web }'), '/steps/0/patch required'],
    ['test', step('create: []'), '/steps/0/create minItems'],
    ['test', step('create: web'), '/steps/0/create type'],
    ['test', step('delete: { kind: Web }'), '/steps/0/delete required'],
    ['test', step('delete: [{ kind: Web }]'), '/steps/0/delete/0 required'],
    ['test', step('fail: { code: 200 }'), '/steps/0/fail/code minimum'],
    ['test', step('fail: { verb: get }'), '/steps/0/fail not'],
    ['test', step('fail: { cod: 500 }'), '/steps/0/fail additionalProperties'],
    ['test', step('fail: { code: 500, drop: after }'), '/steps/0/fail/drop false schema'],
    ['test', step('fail: [{ code: 500, drop: after }]'), '/steps/0/fail/0/drop false schema'],
    ['test', step('fail: 500'), '/steps/0/fail type'],
    ['test', step('writes: { deployment: 1 }'), '/steps/0/writes additionalProperties'],
    ['test', step('writes: { Deployment: -1 }'), '/steps/0/writes/Deployment minimum'],
    ['test', step('expect: [{ kind: Pod }]'), '/steps/0/expect/0 not'],
    ['test', step('expect: [{ kind: Event }]'), '/steps/0/expect/0 not'],
    ['test', step('expect: [{ name: a }]'), '/steps/0/expect/0 required'],
    ['test', step('expect: [{ kind: Pod, name: 5 }]'), '/steps/0/expect/0/name type'],
    ['test', step('absent: [{ kind: Pod, name: a, reason: Failed }]'), '/steps/0/absent/0 not'],
    // A required key that is misspelt is missing, too: two things to say, as of any schema.
    ['role', task('fail: { mesage: a }'), '/tasks/0/fail required', '/tasks/0/fail additionalProperties'],
    // Neither found by a name, nor of a kind that is found by a reason.
    ['test', step('absent: [{ kind: Pod, reason: Failed }]'), '/steps/0/absent/0 not', '/steps/0/absent/0 not'],
  ]
  for (const [name, text, ...said] of broken) {
    it(`say of ${name} \`${said.join(', ')}\`, and no more: ${text.trim().replaceAll('\n', ' ')}`, () => {
      expect(problems(name, text)).to.deep.equal(said)
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
