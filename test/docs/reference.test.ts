import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { printDiagnostics } from '../../src/core/yaml/print-diagnostics.ts'
import { printYaml } from '../../src/core/yaml/print-yaml.ts'
import { MODIFIER_SCHEMAS } from '../../src/engine/role/parse/modifier-schemas.ts'
import type { TaskKind } from '../../src/engine/role/task-kind.ts'
import { builtinTaskKinds } from '../../src/engine/tasks/builtin-task-kinds.ts'
import { loadProject } from '../../src/rolebook/config/load-project.ts'
import { loadBuiltinSchemas } from '../../src/sandbox/cluster/load-builtin-schemas.ts'
import { crd } from '../support/operator-sandbox.ts'
import { ProjectFolder } from '../support/project-folder.ts'

const WATCHES = '- { group: example.com, version: v1, kind: Website, role: website }\n'

/** A kind whose spec and status may hold anything, so that examples can be about their task alone. */
const CRD = printYaml([crd({ group: 'example.com', version: 'v1', kind: 'Website' })])

/** Everything that `rolebook check --strict` says against the example of a kind of task. */
async function checkExample({ example, exampleFiles = {} }: TaskKind): Promise<string> {
  const files = Object.entries(exampleFiles).map(([path, text]) => [`roles/website/${path}`, text] as const)
  const folder = await ProjectFolder.create({
    'watches.yaml': WATCHES,
    'roles/website/crd.yaml': CRD,
    'roles/website/role.yaml': `tasks:\n${example}`,
    ...Object.fromEntries(files),
  })
  try {
    const schemas = { builtin: loadBuiltinSchemas() }
    const { diagnostics } = await loadProject({ ...folder.options, kinds: builtinTaskKinds, schemas })
    return printDiagnostics(diagnostics)
  } finally {
    await folder.delete()
  }
}

describe('the reference page of a kind of task', () => {
  for (const kind of builtinTaskKinds) {
    it(`has an example of \`${kind.name}\` that uses it and passes check --strict`, async () => {
      expect(kind.example).to.match(new RegExp(`^(- | +)${kind.name}:`, 'm'))
      expect(await checkExample(kind)).to.equal('')
    })
  }
})

describe('the reference page of modifiers', () => {
  const ajv = new Ajv2020({ strictTypes: false, strictRequired: false })
  ajv.addKeyword({ keyword: 'explain', schemaType: 'string' })
  for (const [name, schema] of Object.entries(MODIFIER_SCHEMAS)) {
    it(`has examples of \`${name}\` that its schema takes, and a kind of task that takes it`, () => {
      for (const example of schema.examples) expect(ajv.validate(schema, example)).to.equal(true)
      const taken = builtinTaskKinds.some(({ modifiers }) => (modifiers as readonly string[]).includes(name))
      expect(taken || ['name', 'when', 'after', 'sensitive', 'loopVar'].includes(name)).to.equal(true)
    })
  }
})
