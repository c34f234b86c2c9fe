import { expect } from 'chai'
import {
  type CodeAction,
  type Diagnostic,
  type DocumentSymbol,
  type RegistrationParams,
  RegistrationRequest,
  type TextEdit,
} from 'vscode-languageserver-protocol'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { builtinTaskKinds } from '../../../src/engine/tasks/builtin-task-kinds.ts'
import { loadProject } from '../../../src/rolebook/config/load-project.ts'
import { loadBuiltinSchemas } from '../../../src/sandbox/cluster/load-builtin-schemas.ts'
import { long } from '../../support/long-tests.ts'
import { CRD, ProjectFolder } from '../../support/project-folder.ts'
import { LanguageClient, uriOf } from './language-client.ts'
import { ROLE, typed, WEB_PROJECT } from './web-project.ts'

const CLEAN = WEB_PROJECT[ROLE] ?? ''
const WRONG = typed(ROLE, '${spec.replicas}', '${spec.replcas}')

const FIXES = [
  { name: 'a field of the resource', old: '${spec.replicas}', wrong: '${spec.replcas}' },
  { name: 'a field of a manifest', old: 'selector: {', wrong: 'selectr: {' },
  { name: 'a variable', old: '"${$label}"', wrong: '"${$labl}"' },
  {
    name: 'a number where text is due',
    old: 'data: { motd: \'${$template("motd.txt")}\' }',
    wrong: 'data: { motd: 5 }',
    right: 'data: { motd: "5" }',
  },
  {
    name: 'a text where a number is due',
    old: 'replicas: ${spec.replicas}',
    wrong: 'replicas: "3"',
    right: 'replicas: 3',
  },
  {
    name: 'texts that are added',
    old: '"${$label}"',
    wrong: '"${$label + metadata.name}"',
    right: '"${$label & metadata.name}"',
  },
  {
    name: 'a text without its quotes',
    old: '"${$label}"',
    wrong: '"${spec.size > 1 ? small : $label}"',
    right: '"${spec.size > 1 ? \'small\' : $label}"',
  },
  {
    name: 'braces of Jinja within text',
    old: 'app: "${$label}"',
    wrong: 'app: "a-{{ metadata.name }}-b"',
    right: 'app: "a-${metadata.name}-b"',
  },
  {
    name: 'braces of Jinja',
    old: 'matchLabels: "${$labels}"',
    wrong: 'matchLabels: {{ labels }}',
    right: 'matchLabels: "${$labels}"',
  },
  { name: 'an expression without quotes', old: 'matchLabels: "${$labels}"', wrong: 'matchLabels: ${$labels}' },
  { name: 'the name of a task', old: 'after: [Greeting]', wrong: 'after: [Greting]' },
  {
    name: 'operators of JavaScript',
    old: 'image: ${spec.image}',
    wrong: `image: '\${spec.size == "small" && !spec.image ? "a" : spec.image}'`,
    right: `image: '\${spec.size = "small" and spec.image = "" ? "a" : spec.image}'`,
  },
  {
    name: 'a default of Jinja, in double quotes',
    old: '"${metadata.name}-motd"',
    wrong: '"${spec.image | default(\\"web\\")}-motd"',
    right: '"${spec.image ?? \'web\'}-motd"',
  },
  { name: 'a version that does not have the kind', old: 'apiVersion: apps/v1', wrong: 'apiVersion: apps/v1beta1' },
  {
    name: 'a loop over a number',
    old: 'loop: ${spec.ports}',
    wrong: 'loop: ${spec.replicas}',
    right: 'loop: ${[1..spec.replicas]}',
  },
  {
    name: 'a line that begins too far to the left',
    old: '\n      kind: Deployment\n',
    wrong: '\n     kind: Deployment\n',
  },
  {
    name: 'a text that is filled in',
    file: 'roles/web/files/motd.txt',
    old: '${metadata.name}',
    wrong: '${self.metadata.name + "!"}',
    right: '${metadata.name & "!"}',
  },
].map(({ name, old, wrong, right = old, file = ROLE }) => ({
  ...{ name, file },
  text: typed(file, old, wrong),
  fixed: typed(file, old, right),
}))

describe('the language server', function () {
  this.timeout(120_000)
  let project: ProjectFolder
  let client: LanguageClient
  before(async () => {
    client = new LanguageClient()
    await client.start()
  })
  after(() => client.stop())
  beforeEach(async () => {
    project = await ProjectFolder.create(WEB_PROJECT)
  })
  afterEach(() => project.delete())

  it('says of a text that is not saved what check says of it when it is', async () => {
    await client.show(project.path(ROLE), WRONG)
    const shown = await client.diagnostics(project.path(ROLE), (found) => found.length > 0)
    await project.write(ROLE, WRONG)
    const { watchesFile, rolesPath } = project.options
    const schemas = { builtin: loadBuiltinSchemas() }
    const { diagnostics } = await loadProject({
      watchesFile,
      rolesPath,
      environment: {},
      kinds: builtinTaskKinds,
      schemas,
    })
    const places = diagnostics.map(({ code, line, column }) => [code, line - 1, column - 1])
    expect(shown.map(({ code, range: { start } }) => [code, start.line, start.character])).to.deep.equal(places)
    expect(shown.map(({ message }) => message)).to.deep.equal(
      diagnostics.map(({ message, hint }) => `${message}\nhint: ${hint}`),
    )
  })

  it('says what is wrong in files that are not open', async () => {
    await project.write(
      'roles/web/samples/web.yaml',
      typed('roles/web/samples/web.yaml', 'replicas: 3', 'replicas: many'),
    )
    await client.show(project.path(ROLE), CLEAN)
    await client.diagnostics(project.path('roles/web/samples/web.yaml'), (found) => found.length > 0)
  })

  it('says what is wrong with tests, of the text in the editor and with its version', async () => {
    const path = project.path('roles/web/tests/life.yaml')
    await project.write('roles/web/tests/life.yaml', 'steps: [{ advance: 1s }]\n')
    await client.show(path, 'steps: [{ advance: 1s }]\n')
    await client.show(path, 'steps: [{ advence: 1s }]\n')
    const [found] = await client.diagnostics(path, (some) => some.length > 0)
    expect(found?.code).to.equal('RB1020')
    expect(client.versionOf(path)).to.equal(2)
  })

  it('says what is wrong with a CRD that a server refuses, in its file', async () => {
    const crd = 'roles/web/crd.yaml'
    await client.show(project.path(crd), typed(crd, 'names: {', 'names: { shortNames: w, '))
    const [found] = await client.diagnostics(project.path(crd), (some) => some.length > 0)
    expect(found?.message).to.equal('`spec.names.shortNames` has to be a list')
  })

  it('says what a trial of a role finds, after what is wrong at sight', async () => {
    const text = typed(ROLE, 'name: "${metadata.name}-motd"', 'name: "${metadata.name}_motd"')
    await client.show(project.path(ROLE), text)
    const [found] = await client.diagnostics(project.path(ROLE), (some) => some.length > 0)
    expect(found?.code).to.equal('RB1803')
    expect(text.split('\n')[found?.range.start.line ?? 0]).to.contain('_motd')
    expect(client.versionOf(project.path(ROLE))).to.equal(1)
    await client.show(project.path(ROLE), CLEAN)
    await client.diagnostics(project.path(ROLE), (some) => some.length === 0)
  })

  long.it('answers while it tries a role, and tries the latest text', async () => {
    const wrong = (count: number): string =>
      typed(ROLE, 'name: "${metadata.name}-motd"', `name: "\${metadata.name}_${count}"`)
    await client.show(project.path(ROLE), wrong(0))
    const position = { line: 0, character: 0 }
    for (let count = 1; count <= 10; count++) {
      await client.show(project.path(ROLE), wrong(count))
      await client.ask('textDocument/hover', project.path(ROLE), { position })
    }
    const [found] = await client.diagnostics(project.path(ROLE), (some) => some.length > 0)
    expect(found?.message).to.contain('_10"')
    expect(client.versionOf(project.path(ROLE))).to.equal(11)
  })

  it('takes back what is mended', async () => {
    await client.show(project.path(ROLE), WRONG)
    await client.diagnostics(project.path(ROLE), (found) => found.length > 0)
    await client.show(project.path(ROLE), CLEAN)
    await client.diagnostics(project.path(ROLE), (found) => found.length === 0)
  })

  it('takes everything back when the last file of a project is closed', async () => {
    await client.show(project.path(ROLE), WRONG)
    await client.diagnostics(project.path(ROLE), (found) => found.length > 0)
    await client.close(project.path(ROLE))
    await client.diagnostics(project.path(ROLE), (found) => found.length === 0)
  })

  it('reads what has changed on disk when the editor reports it', async () => {
    await client.show(project.path(ROLE), CLEAN)
    const crd = 'roles/web/crd.yaml'
    await project.write(crd, typed(crd, 'image: {', 'picture: {'))
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: uriOf(project.path(crd)), type: 2 }],
    })
    await client.diagnostics(project.path(ROLE), (found) =>
      found.some(({ message }) => String(message).includes('image')),
    )
  })

  it('names no folder of the machine in messages', async () => {
    const watches = typed('watches.yaml', 'version: v1', 'version: v2')
    await client.show(project.path('watches.yaml'), watches)
    const [found] = await client.diagnostics(project.path('watches.yaml'), (some) => some.length > 0)
    expect(found?.message).to.equal('the CRD in roles/web/crd.yaml has no version v2')
  })

  it('outlines tasks and variables', async () => {
    await client.show(project.path(ROLE), CLEAN)
    const symbols = await client.ask<DocumentSymbol[]>('textDocument/documentSymbol', project.path(ROLE), {})
    expect(symbols.map(({ name, detail }) => `${name}: ${detail}`)).to.deep.equal([
      '$tier: ',
      '$label: ',
      'Names: set',
      'Deployment: ensure Deployment',
      'Settings of ports: include',
      'Greeting: ensure ConfigMap',
      'Report: status',
    ])
  })

  it('answers nothing about files of no project', async () => {
    const path = '/nowhere/role.yaml'
    await client.show(path, CLEAN)
    const position = { line: 0, character: 0 }
    expect(await client.ask('textDocument/completion', path, { position })).to.deep.equal([])
    expect(await client.ask('textDocument/hover', path, { position })).to.equal(null)
    expect(await client.ask('textDocument/definition', path, { position })).to.deep.equal([])
  })

  for (const uri of ['untitled:Untitled-1', 'file://elsewhere/role.yaml']) {
    it(`answers nothing about a text that is no file of the machine: ${uri}`, async () => {
      const { connection } = client
      const textDocument = { uri }
      const changed = { textDocument: { uri, version: 2 }, contentChanges: [{ text: WRONG }] }
      await connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'yaml', version: 1, text: CLEAN },
      })
      await connection.sendNotification('textDocument/didChange', changed)
      await client.show(project.path(ROLE), WRONG)
      const diagnostics = await client.diagnostics(project.path(ROLE), (found) => found.length > 0)
      const position = { line: 0, character: 0 }
      const range = { start: position, end: position }
      const answers = [
        await connection.sendRequest('textDocument/hover', { textDocument, position }),
        await connection.sendRequest('textDocument/completion', { textDocument, position }),
        await connection.sendRequest('textDocument/documentSymbol', { textDocument }),
        await connection.sendRequest('textDocument/codeAction', { textDocument, range, context: { diagnostics } }),
      ]
      await connection.sendNotification('textDocument/didClose', { textDocument })
      expect(answers).to.deep.equal([null, [], [], []])
    })
  }

  for (const { name, file, text, fixed } of FIXES) {
    long.it(`mends ${name}`, async () => {
      await client.show(project.path(file), text)
      const diagnostics = await client.diagnostics(project.path(file), (found) => found.length > 0)
      expect(await mended(client, project.path(file), text, diagnostics)).to.equal(fixed)
    })
  }

  it('offers both where a hint leaves a choice, and prefers none', async () => {
    await client.show(project.path(ROLE), typed(ROLE, 'loop: ${spec.ports}', 'loop: ${spec.image}'))
    const diagnostics = await client.diagnostics(project.path(ROLE), (found) => found.length > 0)
    const context = { diagnostics: diagnostics.filter(({ code }) => code === 'RB1157') }
    const { range } = context.diagnostics[0] ?? {}
    const actions = await client.ask<CodeAction[]>('textDocument/codeAction', project.path(ROLE), { range, context })
    expect(actions.map(({ title, isPreferred }) => [title, isPreferred])).to.deep.equal([
      ['Replace with ${$split(spec.image, ",")}', false],
      ['Replace with ${[spec.image]}', false],
    ])
  })
})

/** A kind of others. */
const THINGS = CRD.replaceAll('example.com', 'other.com')
  .replaceAll('webs', 'things')
  .replaceAll('Web', 'Thing')
  .replace('spec: {type: object}', 'spec: {type: object, properties: {size: {type: integer}}}')

/** The text after the first quick fix. */
async function mended(client: LanguageClient, path: string, text: string, diagnostics: readonly Diagnostic[]) {
  const [first] = diagnostics
  const context = { diagnostics }
  const actions = await client.ask<CodeAction[]>('textDocument/codeAction', path, { range: first?.range, context })
  const edits: TextEdit[] = actions[0]?.edit?.changes?.[uriOf(path)] ?? []
  return TextDocument.applyEdits(TextDocument.create(uriOf(path), 'yaml', 1, text), edits)
}

describe('the process of the language server', function () {
  this.timeout(120_000)

  it('ends with 0 when the editor says goodbye', async () => {
    const client = new LanguageClient()
    await client.start()
    expect(await client.stop()).to.equal(0)
    expect(client.stderr).to.equal('')
  })

  long.it('asks an editor that can to report what changes on disk', async () => {
    const client = new LanguageClient()
    const asked = Promise.withResolvers<RegistrationParams>()
    client.connection.onRequest(RegistrationRequest.type, (params) => asked.resolve(params))
    await client.start({ workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } })
    const { registrations } = await asked.promise
    expect(registrations.map(({ method, registerOptions }) => ({ method, registerOptions }))).to.deep.equal([
      {
        method: 'workspace/didChangeWatchedFiles',
        registerOptions: { watchers: [{ globPattern: '**/*.{yaml,yml,tgz,tpl}' }, { globPattern: '**/files/**' }] },
      },
    ])
    expect(await client.stop()).to.equal(0)
  })

  long.it('knows the kinds of the CRDs that --schemas names', async () => {
    const project = await ProjectFolder.create({ ...WEB_PROJECT, 'vendor/crds/things.yaml': THINGS })
    const client = new LanguageClient(['--schemas', project.path('vendor/crds')])
    await client.start()
    const thing = '{apiVersion: other.com/v1, kind: Thing, metadata: {name: x}, spec: {sizee: 1}}'
    await client.show(project.path(ROLE), `${CLEAN}  - ensure: ${thing}\n`)
    const [found] = await client.diagnostics(project.path(ROLE), (some) => some.length > 0)
    expect(found?.code).to.equal('RB1130')
    expect(found?.message).to.contain('`sizee` in `spec`')
    expect(await client.stop()).to.equal(0)
    await project.delete()
  })

  it('ends with 1 when the editor goes away without a word', async () => {
    const client = new LanguageClient()
    await client.start()
    expect(await client.vanish()).to.equal(1)
  })
})
