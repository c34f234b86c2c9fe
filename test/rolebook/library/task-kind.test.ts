import { expect } from 'chai'
import { taskKindPage } from '../../../bin/reference/task-kind-page.ts'
import {
  ANY,
  defineTaskKind,
  loadProject,
  Operator,
  type Project,
  ProjectError,
} from '../../../src/rolebook/library/operator.ts'
import { Sandbox } from '../../../src/rolebook/library/sandbox.ts'
import { crd, WIDGET } from '../../support/operator-sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const PROPERTIES = { text: { type: 'string', description: 'What it says.' }, size: { type: 'integer' } } as const

const banner = defineTaskKind({
  name: 'banner',
  doc: 'A ConfigMap with a banner exists.',
  example: '- name: Banner\n  banner: { text: hello }\n',
  schema: { type: 'object', required: ['text'], additionalProperties: false, properties: { ...PROPERTIES, size: {} } },
  modifiers: [],
  compile: (_body, context) => context.template(['text'], { needsValue: () => true }),
  check(context) {
    context.fields({ type: 'object', properties: PROPERTIES })
    return ANY
  },
  async run(text, { scope, objects, task }) {
    const metadata = { name: 'banner' }
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text: String(text.render(scope)) } }
    const result = await objects.ensure(object, { task, adopt: 'never', retain: false })
    return { kind: result?.changed ? 'changed' : 'unchanged' }
  },
  permissions: () => [{ gvk: { group: '', version: 'v1', kind: 'ConfigMap' }, access: 'own' }],
})

describe('a kind of task that a program defines', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())
  const load = (body: string): Promise<Project> => {
    folder.write('watches.yaml', '- {group: example.com, version: v1, kind: Widget, role: widget}\n')
    folder.write('roles/widget/crd.yaml', JSON.stringify(crd(WIDGET)))
    folder.write('roles/widget/role.yaml', `tasks:\n  - name: Banner\n    banner: ${body}\n`)
    return loadProject({ folder: folder.path, taskKinds: [banner] })
  }

  const mistakes = [
    { name: 'a field of another type', body: '{ text: a, size: "${metadata.name}" }' },
    { name: 'a field that it does not have', body: '{ text: a, other: b }' },
    { name: 'an unknown variable', body: '{ text: "${$unknown}" }' },
  ]
  for (const { name, body } of mistakes) {
    it(`has its body checked: ${name}`, async () => {
      const error = await load(body).catch((thrown) => thrown)
      expect(error).to.be.instanceOf(ProjectError)
      const [{ file, line }] = error.findings
      expect([file, line]).to.deep.equal([folder.at('roles/widget/role.yaml'), 3])
    })
  }

  it('has its rights among those of the project', async () => {
    const verbs = (await load('{ text: a }'))
      .rights()
      .filter(({ resource, name }) => resource === 'configmaps' && !name)
    expect(verbs.map(({ verb }) => verb)).to.include.members(['create', 'delete', 'list', 'patch', 'watch'])
  })

  it('has a reference page', () => {
    expect(taskKindPage(banner)).to.include('# `banner`').and.include('| `text` | text | yes | What it says. |')
  })

  it('runs', async () => {
    await using sandbox = await Sandbox.start({ tls: false })
    const project = await load('{ text: "${spec.text}" }')
    await sandbox.install(...project.crds)
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { text: 'hi' } })
    const stop = new AbortController()
    const running = new Operator({ project, sandbox }).start(stop.signal)
    for await (const { object } of sandbox.client.watch({ apiVersion: 'v1', kind: 'ConfigMap' })) {
      if (object.metadata.name !== 'banner') continue
      expect(object.data).to.deep.equal({ text: 'hi' })
      break
    }
    stop.abort()
    await running
  })

  for (const name of ['ensure', 'when', 'Two words']) {
    it(`cannot be called ${name}`, () => expect(() => defineTaskKind({ ...banner, name })).to.throw(name))
  }
})
