import { expect } from 'chai'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'
import { RoleParser } from '../../../src/engine/role/parse/parse-role.ts'
import { TaskRegistry } from '../../../src/engine/role/task-registry.ts'
import { builtinTaskKinds } from '../../../src/engine/tasks/builtin-task-kinds.ts'
import { readProjectFiles } from '../../../src/rolebook/config/project-files.ts'
import { complete } from '../../../src/rolebook/lsp/completion.ts'
import { hover } from '../../../src/rolebook/lsp/hover.ts'
import { fileAt, meaningAt } from '../../../src/rolebook/lsp/navigation.ts'
import { withOpenTexts } from '../../../src/rolebook/lsp/open-texts.ts'
import { PROBE_TASK } from '../../../src/rolebook/lsp/probe-task.ts'
import { ProjectView, type ViewOptions } from '../../../src/rolebook/lsp/project-view.ts'
import { symbolsOf } from '../../../src/rolebook/lsp/symbols.ts'
import { loadBuiltinSchemas } from '../../../src/sandbox/cluster/load-builtin-schemas.ts'
import { ProjectFolder } from '../../support/project-folder.ts'
import { ROLE, WEB_PROJECT } from './web-project.ts'

/** What is awkward in YAML: each of them is cut at every place. */
const AWKWARD: readonly string[] = [
  "vars: { a: \"${[1..3]}\", b: 'it''s', c: &anchor { d: *anchor } }\n",
  'tasks:\n- {name: "a", fail: {message: "${(\n  $x := spec.ports;\n  $x[name = \\"http\\"].port)}"}}\n',
  'tasks:\n  - name: >-\n      folded\n      text\n    set:\n      motd: |\n        Hello ${metadata.name\n        & "}"}\n',
  '? [a, b]\n: - - c\n  - !tag d\n---\n...\n%YAML 1.2\n',
  'tasks:\n\t- \t"${$',
  'tasks: ["a\\',
  '${${${ "${ `\n: {[}]\n- -\n',
]

describe('text that is half typed', function () {
  this.timeout(300_000)
  let project: ProjectFolder
  let ask: (text: string, offset: number) => void
  before(async () => {
    project = await ProjectFolder.create(WEB_PROJECT)
    const { watchesFile, rolesPath } = project.options
    const kinds = builtinTaskKinds
    const parser = new RoleParser(new TaskRegistry([...kinds, PROBE_TASK]))
    const schemas = { builtin: loadBuiltinSchemas() }
    const options: ViewOptions = { watchesFile, rolesPath, environment: {}, kinds, parser, schemas }
    const files = await readProjectFiles(options)
    const path = project.path(ROLE)
    ask = (text, offset) => {
      const open = new Map([[path, new SourceFile(path, text)]])
      const view = new ProjectView(withOpenTexts(files, open), options)
      const request = { path, text, offset, view, tests: {} }
      complete(request)
      hover(request)
      meaningAt(request)
      fileAt(request)
      symbolsOf(path, text, kinds)
    }
  })
  after(() => project.delete())

  const role = WEB_PROJECT[ROLE] ?? ''

  it('is answered at the end of every third prefix of a role', () => {
    for (let end = 0; end <= role.length; end += 3) ask(role.slice(0, end), end)
  })

  it('is answered where a part of a role is missing', () => {
    for (let start = 0; start < role.length; start += 8) ask(`${role.slice(0, start)}${role.slice(start + 7)}`, start)
  })

  for (const [index, text] of AWKWARD.entries()) {
    it(`is answered at every place of the awkward text ${index + 1}`, () => {
      for (let end = 0; end <= text.length; end += 1) {
        ask(text.slice(0, end), end)
        ask(text, end)
      }
    })
  }

  it('has the tasks of a role above the cursor in its outline', () => {
    const text = `${role}  - name: Open\n    ensure: { a: "\${spec.`
    expect(symbolsOf(ROLE, text, builtinTaskKinds).map(({ name }) => name)).to.include.members(['Report', 'Open'])
  })
})
