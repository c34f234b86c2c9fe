import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Project } from '../../../../src/engine/operator/project.ts'
import { pickSample } from '../../../../src/rolebook/cli/preview/pick-sample.ts'
import { PreviewScreen } from '../../../../src/rolebook/cli/preview/preview-screen.ts'
import { runProgram } from '../../../../src/rolebook/cli/run-program.ts'
import type { ScreenUser } from '../../../../src/rolebook/cli/screen-device.ts'
import { FakeTerminal } from '../../../support/fake-terminal.ts'
import { long } from '../../../support/long-tests.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { ENDLESS_TASKS, writeNoteProject } from '../note-project.ts'

describe('rolebook preview', () => {
  const folder = temporaryFolder()
  beforeEach(() => writeNoteProject(folder.path))
  after(() => folder.remove())

  const preview = (terminal: FakeTerminal, ...args: readonly string[]) =>
    runProgram(
      ['preview', ...args, '--watches-file', folder.at('watches.yaml'), '--roles-path', folder.at('roles')],
      terminal,
    )

  long.it('follows what is edited on a screen, until q', async () => {
    const terminal = new FakeTerminal({ screen: { columns: 120, rows: 30 } })
    const ended = preview(terminal, 'note', '--sample', 'hello')
    const shows = (text: string) => terminal.until(({ drawn }) => drawn?.some((line) => line.includes(text)) ?? false)
    await shows('text: good morning')
    const role = folder.at('roles/note/role.yaml')
    folder.write('roles/note/role.yaml', readFileSync(role, 'utf8').replace('spec.text', '$uppercase(spec.text)'))
    await shows('data.text: "good morning" → "GOOD MORNING"')
    folder.write('roles/note/role.yaml', 'tasks: no\n')
    await shows('│ ')
    expect(terminal.drawn?.join('\n')).to.include('text: GOOD MORNING')
    terminal.resize({ columns: 60, rows: 9 })
    expect(terminal.drawn).to.have.length(9)
    terminal.press('end', 'q')
    expect([await ended, terminal.drawn, terminal.stdout]).to.deep.equal([0, undefined, ''])
  })

  it('draws every line on a screen of a new size, and shows what is said beside it', () => {
    const size = { columns: 40, rows: 5 }
    const drawn: (readonly string[])[] = []
    let drawnBefore: readonly string[] = []
    let user: ScreenUser | undefined
    const nothing = (): void => undefined
    const draw = (lines: readonly string[], before: readonly string[]): void => {
      drawn.push(lines)
      drawnBefore = before
    }
    const view = new PreviewScreen({ color: false }, (next) => {
      user = next
      return { hasKeys: true, size, draw, interrupt: nothing, release: nothing }
    })
    view.show({ said: 'wrong\n' })
    user?.say('a line of log\n')
    expect([drawn.at(-1)?.slice(1, 3), drawnBefore]).to.deep.equal([['│ … 2 more lines', ''], drawn.at(-2)])
    user?.resized({ columns: 40, rows: 9 })
    expect([drawn.at(-1)?.slice(1, 3), drawnBefore]).to.deep.equal([['│ wrong', '│ a line of log'], []])
  })

  long.it('says that a role comes to no end', async () => {
    folder.write('roles/note/role.yaml', `tasks:${ENDLESS_TASKS}\n`)
    const terminal = new FakeTerminal({ screen: { columns: 120, rows: 60 } })
    const ended = preview(terminal, 'note')
    await terminal.until(({ drawn }) => drawn?.some((line) => line.includes('objects still change after')) ?? false)
    terminal.press('q')
    expect(await ended).to.equal(0)
  })

  it('ends with wrong usage where there is no such role', async () => {
    const terminal = new FakeTerminal()
    expect([await preview(terminal, 'none'), terminal.stderr]).to.deep.equal([
      2,
      'rolebook preview: there is no role "none": choose one of note\n',
    ])
  })

  const metadata = (name: string) => ({ apiVersion: 'v1', kind: 'Note', metadata: { name } })
  const project = {
    watches: ['note', 'bare'].map((name) => ({ role: { name } })),
    samples: [
      { path: 'roles/note/samples/a.yaml', objects: [metadata('one'), metadata('two')] },
      { path: 'roles/note/samples/b.yaml', objects: [metadata('three')] },
      { path: 'roles/other/samples/c.yaml', objects: [metadata('four')] },
    ],
  } as unknown as Project
  const choices = [
    { name: 'the first one', sample: undefined, found: 'a.yaml' },
    { name: 'that of a file', sample: './roles/note/samples/b.yaml', found: 'b.yaml' },
    { name: 'that of the name of a file', sample: 'b.yaml', found: 'b.yaml' },
    { name: 'that of such a name without its ending', sample: 'b', found: 'b.yaml' },
    { name: 'that with a resource of the name', sample: 'two', found: 'a.yaml' },
  ]
  for (const { name, sample, found } of choices) {
    it(`takes ${name}`, () => {
      expect(pickSample(project, { role: 'note', sample, rolesPath: './roles' }).path).to.equal(
        `roles/note/samples/${found}`,
      )
    })
  }
  const refused = [
    {
      name: 'the sample of another role',
      role: 'note',
      sample: 'four',
      says: 'the role "note" has no sample "four": choose one of a.yaml, b.yaml',
    },
    {
      name: 'a role without samples',
      role: 'bare',
      sample: undefined,
      says: 'the role "bare" has no sample: write one into roles/bare/samples',
    },
    {
      name: 'no role, where there are several',
      role: undefined,
      sample: undefined,
      says: 'which role? choose one of note, bare',
    },
  ]
  for (const { name, role, sample, says } of refused) {
    it(`refuses ${name}`, () => {
      expect(() => pickSample(project, { role, sample, rolesPath: 'roles' })).to.throw(says)
    })
  }
})
