import { expect } from 'chai'
import type { Hover, Location, WorkspaceEdit } from 'vscode-languageserver-protocol'
import { ProjectFolder } from '../../support/project-folder.ts'
import { atMark, LanguageClient, uriOf } from './language-client.ts'
import { ROLE, typed, WEB_PROJECT } from './web-project.ts'

const SETTINGS = 'roles/web/tasks/settings.yaml'
const MOTD = 'roles/web/files/motd.txt'

/** A file, and its text with `¦` at the cursor. */
type Marked = readonly [string, string]

const role = (old: string, text: string): Marked => [ROLE, typed(ROLE, old, text)]
const settings = (old: string, text: string): Marked => [SETTINGS, typed(SETTINGS, old, text)]

const HOVERS: readonly { readonly name: string; readonly at: Marked; readonly says: readonly string[] }[] = [
  {
    name: 'a field of the resource, with its doc and its value in the sample',
    at: role('${spec.replicas}', '${spec.repl¦icas}'),
    says: ['`replicas`: a number', 'How many pods serve.', 'In the sample: `3`'],
  },
  { name: 'a field that may be missing', at: role('${spec.image}', '${spec.im¦age}'), says: ['`image`: text'] },
  { name: 'the resource', at: role('"${metadata.name}" }', '"${meta¦data.name}" }'), says: ['an object', 'shop'] },
  { name: 'a variable with its value', at: role('"${$label}"', '"${$la¦bel}"'), says: ['`$label`: text', '\\"web\\"'] },
  { name: 'a variable that watches.yaml sets', at: role('"${$tier}"', '"${$ti¦er}"'), says: ['`$tier`', 'gold'] },
  {
    name: 'what is registered',
    at: role('$deployment.status', '$deploy¦ment.status'),
    says: ['`$deployment`: an object'],
  },
  {
    name: 'a field of what is registered',
    at: role('$deployment.status.readyReplicas', '$deployment.status.ready¦Replicas'),
    says: ['`readyReplicas`: a number', 'pods targeted by this Deployment'],
  },
  {
    name: 'the item of a loop',
    at: role('${$port.name}', '${$port.na¦me}'),
    says: ['`name`: text', 'What the port is called.'],
  },
  {
    name: 'a function',
    at: role('$template("motd.txt")', '$temp¦late("motd.txt")'),
    says: ['$template <s:s>', 'The text of a file'],
  },
  {
    name: 'a function of JSONata',
    at: role('${spec.replicas}', '${$m¦ax(spec.ports.port)}'),
    says: ['$max(numbers)', 'The largest of the numbers.'],
  },
  {
    name: 'the second of two functions',
    at: role('${spec.replicas}', '${$max(spec.ports.port) + $a¦bs(spec.replicas)}'),
    says: ['$abs(number)'],
  },
  {
    name: 'a field in a call',
    at: role('${spec.replicas}', '${$max(spec.ports.po¦rt)}'),
    says: ['`port`: a number'],
  },
  {
    name: 'a field of a manifest that takes two types',
    at: [
      ROLE,
      `${WEB_PROJECT[ROLE]}  - ensure: { apiVersion: v1, kind: Service, metadata: { name: x }, spec: { ports: [{ port: 1, target¦Port: 2 }] } }\n`,
    ],
    says: ['`targetPort`: number or text'],
  },
  {
    name: 'a kind of task',
    at: role('    ensure:', '    ens¦ure:'),
    says: ['`ensure`', 'The object exists', 'apiVersion: v1'],
  },
  {
    name: 'a modifier',
    at: role('register: deployment', 'regi¦ster: deployment'),
    says: ['Later tasks see the live object'],
  },
  {
    name: 'a field of a manifest',
    at: role('selector: {', 'sele¦ctor: {'),
    says: ['`selector`: object', 'Label selector for pods'],
  },
  {
    name: 'where a name is defined',
    at: role('register: deployment', 'register: deploy¦ment'),
    says: ['`$deployment`: an object', 'Used 1 time.'],
  },
  {
    name: 'a key of an entry',
    at: ['watches.yaml', typed('watches.yaml', 'role: web', 'ro¦le: web')],
    says: ['`role`'],
  },
  { name: 'what a file of tasks is given', at: settings('${$given}', '${$gi¦ven}'), says: ['`$given`: text'] },
  { name: 'what a text reads', at: [MOTD, typed(MOTD, '${$tier}', '${$ti¦er}')], says: ['`$tier`', 'gold'] },
  { name: 'nothing of plain text', at: [MOTD, typed(MOTD, 'Welcome', 'Wel¦come')], says: [] },
]

interface Found {
  readonly name: string
  readonly at: Marked
  readonly found: readonly string[]
}

const DEFINITIONS: readonly Found[] = [
  {
    name: 'a variable, here and in watches.yaml',
    at: role('"${$tier}"', '"${$ti¦er}"'),
    found: ['role.yaml 2 tier', 'watches.yaml 5 tier'],
  },
  {
    name: 'a name that a task gives',
    at: role('matchLabels: "${$labels}"', 'matchLabels: "${$la¦bels}"'),
    found: ['role.yaml 8 labels'],
  },
  {
    name: 'what is registered',
    at: role('$deployment.status', '$deploy¦ment.status'),
    found: ['role.yaml 24 deployment'],
  },
  {
    name: 'what is registered under a name in quotes',
    at: role('register: deployment', 'register: "deploy¦ment"'),
    // As it is on disk, without the quotes.
    found: ['role.yaml 24 eployment'],
  },
  { name: 'the item of a loop', at: role('${$port.name}', '${$po¦rt.name}'), found: ['role.yaml 28 port'] },
  { name: 'what an include gives', at: settings('${$given}', '${$gi¦ven}'), found: ['role.yaml 31 given'] },
  {
    name: 'a variable from a text',
    at: [MOTD, typed(MOTD, '${$tier}', '${$ti¦er}')],
    found: ['role.yaml 2 tier', 'watches.yaml 5 tier'],
  },
  { name: 'a task', at: role('after: [Greeting]', 'after: [Gree¦ting]'), found: ['role.yaml 33 Greeting'] },
  { name: 'a file of tasks', at: role('tasks/settings.yaml', 'tasks/set¦tings.yaml'), found: ['settings.yaml 1'] },
  { name: 'a text', at: role('"motd.txt"', '"mo¦td.txt"'), found: ['motd.txt 1'] },
  { name: 'a role', at: ['watches.yaml', typed('watches.yaml', 'role: web', 'role: we¦b')], found: ['role.yaml 1'] },
  {
    name: 'nothing from the kind of an entry',
    at: ['watches.yaml', typed('watches.yaml', 'kind: Web', 'kind: W¦eb')],
    found: [],
  },
  {
    name: 'nothing from a value of a sample',
    at: ['roles/web/samples/web.yaml', typed('roles/web/samples/web.yaml', 'size: small', 'size: sm¦all')],
    found: [],
  },
  { name: 'nothing from a field', at: role('${spec.image}', '${spec.im¦age}'), found: [] },
]

const REFERENCES: readonly Found[] = [
  {
    name: 'all that read a variable',
    at: role('tier: silver', 'ti¦er: silver'),
    found: ['role.yaml 2 tier', 'watches.yaml 5 tier', 'role.yaml 8 tier', 'settings.yaml 6 tier', 'motd.txt 1 tier'],
  },
  {
    name: 'all that read a name that a task gives',
    at: role('labels: { app', 'la¦bels: { app'),
    found: ['role.yaml 8 labels', 'role.yaml 17 labels', 'role.yaml 19 labels'],
  },
  {
    name: 'all that come after a task',
    at: role('name: Deployment', 'name: Deploy¦ment'),
    found: ['role.yaml 10 Deployment', 'role.yaml 34 Deployment'],
  },
  {
    name: 'what an include gives',
    at: settings('${$given}', '${$gi¦ven}'),
    found: ['role.yaml 31 given', 'settings.yaml 5 given'],
  },
  {
    name: 'a task that another names as optional',
    at: role('after: [Greeting]', 'after:\n      - Deployment\n      - { task: Gree¦ting, optional: true }'),
    // Line 44 as it is on disk.
    found: ['role.yaml 33 Greeting', 'role.yaml 44 deployme'],
  },
  { name: 'nothing of a field', at: role('${spec.image}', '${spec.im¦age}'), found: [] },
]

describe('places in files', function () {
  this.timeout(120_000)
  let project: ProjectFolder
  let client: LanguageClient
  before(async () => {
    project = await ProjectFolder.create(WEB_PROJECT)
    client = new LanguageClient()
    await client.start()
  })
  after(async () => {
    expect(await client.stop(), client.stderr).to.equal(0)
    await project.delete()
  })

  const ask = async <Answer>(method: string, [file, marked]: Marked, further: object = {}): Promise<Answer> => {
    const { text, position } = atMark(marked)
    await client.show(project.path(file), text)
    const answer = await client.ask<Answer>(method, project.path(file), { position, ...further })
    await client.close(project.path(file))
    return answer
  }
  /** `role.yaml 3 tier`: the file, the line and the text of each place. */
  const shown = (locations: readonly Location[]): readonly string[] =>
    locations.map(({ uri, range: { start, end } }) => {
      const file = Object.keys(WEB_PROJECT).find((path) => uriOf(project.path(path)) === uri) ?? uri
      const line = WEB_PROJECT[file]?.split('\n')[start.line] ?? ''
      const name = file.slice(file.lastIndexOf('/') + 1)
      return `${name} ${start.line + 1} ${line.slice(start.character, end.character)}`.trim()
    })

  describe('hover', () => {
    for (const { name, at, says } of HOVERS) {
      it(`shows ${name}`, async () => {
        const hover = await ask<Hover | null>('textDocument/hover', at)
        const text = JSON.stringify(hover?.contents ?? null)
        for (const part of says) expect(text).to.include(part)
        if (says.length === 0) expect(hover).to.equal(null)
      })
    }
  })

  describe('definition', () => {
    for (const { name, at, found } of DEFINITIONS) {
      it(`leads to ${name}`, async () =>
        expect(shown(await ask<Location[]>('textDocument/definition', at))).to.deep.equal(found))
    }
  })

  describe('references', () => {
    for (const { name, at, found } of REFERENCES) {
      it(`finds ${name}`, async () => {
        const context = { includeDeclaration: true }
        const locations = await ask<Location[]>('textDocument/references', at, { context })
        expect(shown(locations).toSorted()).to.deep.equal([...found].toSorted())
      })
    }
  })

  it('finds what reads a variable without what defines it', async () => {
    const context = { includeDeclaration: false }
    const at = role('register: deployment', 'register: deploy¦ment')
    const locations = await ask<Location[]>('textDocument/references', at, { context })
    expect(shown(locations)).to.deep.equal(['role.yaml 44 deployment'])
  })

  describe('rename', () => {
    it('renames a variable in the role, in its files and in watches.yaml', async () => {
      const edit = await ask<WorkspaceEdit>(
        'textDocument/rename',
        [ROLE, typed(ROLE, 'tier: silver', 'ti¦er: silver')],
        {
          newName: 'level',
        },
      )
      const changes = Object.entries(edit.changes ?? {}).map(([uri, edits]) => [uri.split('/').at(-1), edits.length])
      expect(Object.fromEntries(changes)).to.deep.equal({
        'role.yaml': 2,
        'watches.yaml': 1,
        'settings.yaml': 1,
        'motd.txt': 1,
      })
    })

    it('renames a task where others name it, in quotes where YAML wants them', async () => {
      const at: Marked = [ROLE, typed(ROLE, 'name: Greeting', 'name: Gree¦ting')]
      const edit = await ask<WorkspaceEdit>('textDocument/rename', at, { newName: 'Hello: all' })
      const [edits = []] = Object.values(edit.changes ?? {})
      expect(edits.map(({ newText }) => newText)).to.deep.equal(['"Hello: all"', '"Hello: all"'])
    })

    for (const { newName, says } of [
      { newName: 'sum', says: 'is a function' },
      { newName: 'a-b', says: 'expressions cannot read a variable' },
    ]) {
      it(`refuses ${newName}`, async () => {
        const at: Marked = [ROLE, typed(ROLE, 'tier: silver', 'ti¦er: silver')]
        const refused = await ask('textDocument/rename', at, { newName }).catch((error: Error) => error)
        expect(String(refused)).to.include(says)
        await client.close(project.path(ROLE))
      })
    }

    it('is offered at the name alone', async () => {
      const range = await ask('textDocument/prepareRename', role('tier: silver', 'ti¦er: silver'))
      expect(range).to.deep.equal({ start: { line: 1, character: 2 }, end: { line: 1, character: 6 } })
    })

    it('changes nothing where there is no name', async () => {
      const at = role('ensure:', 'ens¦ure:')
      expect(await ask('textDocument/rename', at, { newName: 'x' })).to.equal(null)
    })

    it('is not offered at a variable that the engine gives', async () => {
      const at = role('"${$label}"', '"${$wa¦tch.kind}"')
      expect(await ask('textDocument/prepareRename', at)).to.equal(null)
    })

    it('is not offered where there is no name', async () =>
      expect(await ask('textDocument/prepareRename', [ROLE, typed(ROLE, 'ensure:', 'ens¦ure:')])).to.equal(null))
  })
})
