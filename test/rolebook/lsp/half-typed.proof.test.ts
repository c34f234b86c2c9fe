import { expect } from 'chai'
import { builtinTaskKinds } from '../../../src/engine/tasks/builtin-task-kinds.ts'
import { complete } from '../../../src/rolebook/lsp/completion.ts'
import { hover } from '../../../src/rolebook/lsp/hover.ts'
import { fileAt, meaningAt } from '../../../src/rolebook/lsp/navigation.ts'
import { symbolsOf } from '../../../src/rolebook/lsp/symbols.ts'
import { ProjectFolder } from '../../support/project-folder.ts'
import { ViewedProject } from './viewed-project.ts'
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
    const viewed = await ViewedProject.read(project)
    ask = (text, offset) => {
      const request = viewed.request(ROLE, text, offset)
      complete(request)
      hover(request)
      meaningAt(request)
      fileAt(request)
      symbolsOf(request.path, text, builtinTaskKinds)
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
