import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import type { Project } from '../../../../src/engine/operator/project.ts'
import { CONFIG_MAP, OperatorSandbox, WIDGET } from '../../../support/operator-sandbox.ts'
import { projectAt } from '../../../support/running-operator.ts'

const PART = `- name: Map
  ensure:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "\${$name}"}
    data: {text: "\${$template('text.txt')}"}
`
const FILES = { 'tasks/part.yaml': PART, 'files/text.txt': '${$name} of ${metadata.name}' }
const INCLUDE = 'include: {tasks: tasks/part.yaml, vars: {name: "${$item}"}}'

describe('included tasks and texts, on a server', () => {
  let sandbox: OperatorSandbox
  let folder: string

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rolebook-includes-'))
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(async () => {
    await sandbox.stop()
    rmSync(folder, { recursive: true })
  })

  async function projectOf(role: string, files: Readonly<Record<string, string>> = {}): Promise<Project> {
    const all = { 'role.yaml': role, ...FILES, ...files }
    for (const [path, text] of Object.entries(all)) {
      const place = join(folder, 'roles/widget', path)
      await mkdir(dirname(place), { recursive: true })
      await writeFile(place, text)
    }
    const watchesFile = join(folder, 'watches.yaml')
    await writeFile(watchesFile, '- {group: example.com, version: v1, kind: Widget, role: widget}\n')
    return projectAt({ watchesFile, rolesPath: join(folder, 'roles') })
  }

  const maps = async (): Promise<readonly unknown[]> =>
    (await sandbox.client.list(CONFIG_MAP, { namespace: 'default' })).items
      .filter(({ metadata }) => !['kube-root-ca.crt', 'rolebook-ledger'].includes(metadata.name ?? ''))
      .map(({ metadata, data }) => [metadata.name, data])

  it('make objects, at rest write nothing, and are pruned when they are no longer run', async () => {
    sandbox.run(await projectOf(`tasks:\n  - loop: \${spec.parts}\n    ${INCLUDE}\n`))
    await sandbox.widget('w', { parts: ['a', 'b'] })
    await sandbox.ready('Ready')
    expect(await maps()).to.deep.equal([
      ['a', { text: 'a of w' }],
      ['b', { text: 'b of w' }],
    ])
    await sandbox.settled()
    await sandbox.edit(WIDGET, 'w', { metadata: { annotations: { 'rolebook.dev/reconcile-at': 'now' } } })
    expect(await sandbox.settled()).to.deep.equal([])
    await sandbox.edit(WIDGET, 'w', { spec: { parts: ['b'] } })
    await sandbox.ready('Ready', { generation: 2 })
    await sandbox.settled()
    expect(await maps()).to.deep.equal([['b', { text: 'b of w' }]])
    await sandbox.remove(WIDGET, 'w')
    await sandbox.until(maps, (seen) => seen.length === 0)
  })

  it('that make one object twice are refused, and both are named', async () => {
    const twice = `  - name: One\n    ${INCLUDE}\n  - name: Two\n    ${INCLUDE}\n`.replaceAll('${$item}', 'a')
    sandbox.run(await projectOf(`tasks:\n${twice}`))
    await sandbox.widget('w')
    const { message } = await sandbox.ready('Failed')
    expect(message).to.contain(
      'cannot write ConfigMap default/a: two tasks write it, "Map of One" and "Map of Two" (keep one)',
    )
  })

  it('are another role when a file of them changes', async () => {
    const role = `tasks:\n  - ${INCLUDE.replace('${$item}', 'a')}\n`
    const operator = sandbox.run(await projectOf(role))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    operator.replaceProject(await projectOf(role, { 'files/text.txt': 'other' }))
    await sandbox.until(maps, (seen) => JSON.stringify(seen).includes('other'))
    operator.replaceProject(
      await projectOf(role, { 'files/text.txt': 'other', 'tasks/part.yaml': PART.replace('$name}"}', '$name}2"}') }),
    )
    await sandbox.until(maps, (seen) => JSON.stringify(seen).includes('"a2"'))
    await sandbox.settled()
    expect(await maps()).to.deep.equal([['a2', { text: 'other' }]])
  })

  it('run in finalize, too', async () => {
    const last = `finalize:\n  - ${INCLUDE.replace('${$item}', 'last')}\n  - {name: Gate, get: {apiVersion: v1, kind: ConfigMap, name: gate}}\n`
    sandbox.run(await projectOf(`tasks: [{set: {a: 1}}]\n${last}`))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.remove(WIDGET, 'w')
    await sandbox.until(maps, (seen) => JSON.stringify(seen) === '[["last",{"text":"last of w"}]]')
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'gate' } })
    await sandbox.gone(WIDGET, 'w')
  })
})
