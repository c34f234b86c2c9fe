import { rmSync } from 'node:fs'
import { expect } from 'chai'
import { nopLogger } from '../../../../src/core/base/logger.ts'
import { builtinTaskKinds } from '../../../../src/engine/tasks/builtin-task-kinds.ts'
import { followPreview } from '../../../../src/rolebook/cli/preview/follow-preview.ts'
import { PreviewLines } from '../../../../src/rolebook/cli/preview/preview-lines.ts'
import { loadProject, type ProjectResult } from '../../../../src/rolebook/config/load-project.ts'
import { FakeTerminal } from '../../../support/fake-terminal.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { NOTE_PROJECT } from '../note-project.ts'

const ROLE = 'roles/note/role.yaml'
const SAMPLE = 'roles/note/samples/hello.yaml'
const MADE = NOTE_PROJECT[ROLE]
const configMap = (name: string): string => `  - name: Copy
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: ${name} }, data: { text: "\${spec.text}" } }
`
const COPY = `# ConfigMap default/copy, made by the task "Copy"
apiVersion: v1
kind: ConfigMap
metadata:
  name: copy
  namespace: default
data:
  text: good morning
`
const STATUS = `# status of Note default/hello
apiVersion: example.com/v1
kind: Note
metadata:
  name: hello
  namespace: default
status:
  observedGeneration: 1
  conditions:
    - type: Ready
      status: "True"
      reason: Ready
      message: the cluster is as the role says
      observedGeneration: 1
`

interface Edit {
  readonly name: string
  /** By their paths: the texts of files. */
  readonly files: Readonly<Record<string, string>>
  /** What is printed. */
  readonly out: string | RegExp
  /** What is said of it. */
  readonly err?: string | RegExp
}

/** One after the other. */
const EDITS: readonly Edit[] = [
  {
    name: 'prints all objects and the status at first',
    files: NOTE_PROJECT,
    out: `${COPY.replaceAll('copy', 'hello').replace('Copy', 'ensure (task 1)')}---\n${STATUS}`,
  },
  {
    name: 'prints which field a changed role makes otherwise, and by which expression',
    files: { [ROLE]: MADE.replace('spec.text', '$uppercase(spec.text)') },
    out: `
${SAMPLE}: 0 added, 1 changed, 0 removed
  ~ ConfigMap default/hello
      data.text: "good morning" → "GOOD MORNING"   \${$uppercase(spec.text)}
`,
  },
  {
    name: 'prints a new object as a whole',
    files: { [ROLE]: MADE + configMap('copy') },
    out: `
${SAMPLE}: 1 added, 1 changed, 0 removed
  ~ ConfigMap default/hello
      data.text: "GOOD MORNING" → "good morning"   \${spec.text}
  + ConfigMap default/copy
${COPY}`,
  },
  {
    name: 'says what a mistake is, and prints nothing',
    files: { [ROLE]: MADE.replace('spec.text', 'spec.text & $nobody') },
    out: '',
    err: /^roles\/note\/role\.yaml:6:\d+ error RB\d+ .*\$nobody[\s\S]*\n1 error\n$/,
  },
  {
    name: 'says which task fails, and what it makes then',
    files: { [ROLE]: `${MADE}  - fail: { message: it is too late }\n` },
    out: /^\n.*: 0 added, 1 changed, 1 removed\n {2}~ status of Note default\/hello\n[\s\S]*\n {2}- ConfigMap default\/copy\n$/,
    err: /^Note default\/hello: \w+: task "fail \(task 2\)": it is too late \(roles\/note\/role\.yaml:\d+\)\n$/,
  },
  {
    name: 'compares a role that works again with the last preview that did',
    files: { [ROLE]: MADE + configMap('copy') },
    out: `\n${SAMPLE}: no differences\n`,
  },
  {
    name: 'says that the sample is gone, and stays',
    files: { [SAMPLE]: '' },
    out: '',
    err: 'the role "note" has no sample: write one into roles/note/samples\n',
  },
  {
    name: 'says once what stays wrong',
    files: { [ROLE]: MADE },
    out: '',
  },
  {
    name: 'follows the sample',
    files: { [SAMPLE]: NOTE_PROJECT[SAMPLE].replace('good morning', 'good night') },
    out: /: 0 added, 1 changed, 1 removed\n.*\n {6}data\.text: "good morning" → "good night" {3}\$\{spec\.text\}\n {2}- ConfigMap default\/copy\n/,
  },
]

describe('rolebook preview in a pipe', () => {
  const folder = temporaryFolder()
  const said: { readonly out: string; readonly err: string }[] = []
  const relative = (text: string): string => text.replaceAll(`${folder.path}/`, '')

  before(async () => {
    const terminal = new FakeTerminal()
    const places = { watchesFile: folder.at('watches.yaml'), rolesPath: folder.at('roles') }
    const note = (): void => {
      said.push({ out: relative(terminal.stdout), err: relative(terminal.stderr) })
      terminal.stdout = ''
      terminal.stderr = ''
    }
    async function* states(): AsyncGenerator<ProjectResult> {
      for (const { files } of EDITS) {
        for (const [path, text] of Object.entries(files)) {
          if (text === '') rmSync(folder.at(path))
          else folder.write(path, text)
        }
        yield loadProject({ ...places, kinds: builtinTaskKinds, environment: {} })
        note()
      }
    }
    const view = new PreviewLines(terminal)
    await followPreview(states(), { view, terminal, logger: nopLogger, rolesPath: places.rolesPath })
  })
  after(() => folder.remove())

  for (const [index, { name, out, err = '' }] of EDITS.entries()) {
    it(name, () => {
      for (const [text, wanted] of [
        [said[index]?.out, out],
        [said[index]?.err, err],
      ] as const) {
        if (typeof wanted === 'string') expect(text).to.equal(wanted)
        else expect(text).to.match(wanted)
      }
    })
  }
})
