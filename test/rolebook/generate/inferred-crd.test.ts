import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { getPath, type JsonObject } from '../../../src/core/base/json.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { long } from '../../support/long-tests.ts'
import { ProjectFolder, WATCHES } from '../../support/project-folder.ts'

const ANY = { 'x-kubernetes-preserve-unknown-fields': true }
const DEPLOYMENT = 'apiVersion: apps/v1, kind: Deployment, metadata: {name: a}'
const SERVICE = 'apiVersion: v1, kind: Service, metadata: {name: a}'

interface Case {
  readonly name: string
  readonly tasks: string
  /** The spec of the sample. */
  readonly sample?: string
  readonly spec: JsonObject
}

const CASES: readonly Case[] = [
  {
    name: 'what the field is that it is handed on to',
    tasks: `[{patch: {${DEPLOYMENT}, spec: {replicas: "\${spec.size}", paused: "\${ spec.stopped }"}}}]`,
    spec: { size: { type: 'integer', format: 'int32' }, stopped: { type: 'boolean' } },
  },
  {
    name: 'a number or a text, where both will do',
    tasks: `[{ensure: {${SERVICE}, spec: {ports: [{port: 1, targetPort: "\${spec.port}"}]}}}]`,
    spec: { port: { 'x-kubernetes-int-or-string': true } },
  },
  {
    name: 'a list, and its items',
    tasks: `[{ensure: {${SERVICE}, spec: {ports: "\${spec.ports}", externalIPs: "\${spec.ips}"}}}]`,
    spec: {
      ports: { type: 'array', items: { type: 'object', ...ANY } },
      ips: { type: 'array', items: { type: 'string' } },
    },
  },
  {
    name: 'an object with unknown fields',
    tasks: `[{patch: {${DEPLOYMENT}, spec: {strategy: "\${spec.strategy}"}}}]`,
    spec: { strategy: { type: 'object', ...ANY } },
  },
  {
    name: 'what samples show, where nothing is handed on',
    tasks:
      '[{set: {a: "${spec.name & spec.count}", b: "${spec.live ? spec.ratio : 1}"}}, {status: {a: "${$a}", b: "${$b}"}}]',
    sample: '{name: x, count: 2, live: true, ratio: 0.5, unread: z}',
    spec: {
      name: { type: 'string' },
      count: { type: 'integer' },
      live: { type: 'boolean' },
      ratio: { type: 'number' },
      unread: { type: 'string' },
    },
  },
  {
    name: 'fields of items, where a sample shows a list',
    tasks: '[{status: {ports: "${[spec.ports.port]}"}}]',
    sample: '{ports: [{port: 1}, {port: 2, name: a}]}',
    spec: {
      ports: {
        type: 'array',
        items: { type: 'object', properties: { port: { type: 'integer' }, name: { type: 'string' } } },
      },
    },
  },
  {
    name: 'objects within each other',
    tasks: '[{status: {a: "${spec.app.image.tag}"}}]',
    spec: {
      app: { type: 'object', properties: { image: { type: 'object', properties: { tag: ANY } } } },
    },
  },
  {
    name: 'anything, where nothing is known of the kind that it is handed on to',
    tasks: '[{patch: {apiVersion: x.org/v1, kind: X, metadata: {name: a}, spec: {a: "${spec.a}"}}}]',
    spec: { a: ANY },
  },
  {
    name: 'an object that is also read whole, so that there may be more in it',
    tasks: '[{status: {a: "${spec.app.tag}", b: "${$toJson(spec.app)}"}}]',
    spec: { app: { type: 'object', ...ANY, properties: { tag: ANY } } },
  },
  {
    name: 'an index for what is behind it',
    tasks: '[{status: {a: "${spec.hosts[0].name}"}}]',
    sample: '{hosts: [{name: a}]}',
    spec: { hosts: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } } },
  },
  {
    name: 'samples that differ in every way',
    tasks: '[{status: {a: "${spec.a}"}}]',
    sample: '{a: [1, x]}',
    spec: { a: { type: 'array', items: ANY } },
  },
]

describe('a CRD that is inferred', () => {
  for (const { name, tasks, sample, spec } of CASES) {
    it(`has for a field: ${name}`, async () => {
      const crd = await draftFor({
        'roles/web/role.yaml': `tasks: ${tasks}\n`,
        ...(sample && { 'roles/web/samples/web.yaml': `${SAMPLE}spec: ${sample}\n` }),
      })
      expect(getPath(crd, [...SCHEMA, 'spec'])).to.deep.equal({ type: 'object', properties: spec })
    })
  }

  it('is for the kind of the watch, with a status, and the columns that people look at', async () => {
    const crd = await draftFor({ 'roles/web/role.yaml': 'tasks: [{status: {a: 1}}]\n' })
    expect(crd.metadata).to.deep.equal({ name: 'webs.example.com' })
    expect(crd.spec).to.deep.include({
      group: 'example.com',
      names: { kind: 'Web', listKind: 'WebList', plural: 'webs', singular: 'web' },
      scope: 'Namespaced',
    })
    expect(getPath(crd, ['spec', 'versions', 0])).to.deep.include({ name: 'v1', subresources: { status: {} } })
    expect(getPath(crd, [...SCHEMA, 'spec'])).to.deep.equal({ type: 'object', ...ANY })
  })

  it('has the fields of the status that tasks name, in blocks and in other files as well', async () => {
    const crd = await draftFor({
      'roles/web/role.yaml': `tasks:
  - include: {tasks: tasks/more.yaml}
  - block:
      tasks: [{status: {inner: "\${spec.a}", fixed: true}}]
  - patch: {apiVersion: v1, kind: Node, metadata: {name: a}, status: {phase: Running}}
`,
      'roles/web/tasks/more.yaml': '- status: {more: 2}\n',
      'roles/web/files/no-tasks.yaml': 'status: {never: 1}\n',
    })
    const { conditions, ...fields } = getPath(crd, [...SCHEMA, 'status', 'properties']) as JsonObject
    expect(fields).to.deep.equal({
      observedGeneration: { type: 'integer', format: 'int64' },
      inner: ANY,
      fixed: { type: 'boolean' },
      more: { type: 'integer' },
    })
    expect(conditions).to.include({ type: 'array', 'x-kubernetes-list-type': 'map' })
  })

  it('lets any status be where one expression gives all of it', async () => {
    const crd = await draftFor({ 'roles/web/role.yaml': 'tasks: [{status: "${spec.all}"}]\n' })
    expect(getPath(crd, [...SCHEMA, 'status'])).to.deep.include(ANY)
  })

  it('is written once for two entries, beside the CRDs that are there', async () => {
    const crds = await crdsOf({
      'watches.yaml':
        '- {group: example.com, version: v1, kind: Web, role: web, selector: {matchLabels: {a: b}}}\n' +
        '- {group: example.com, version: v1, kind: Web, role: other, selector: {matchLabels: {a: c}}}\n' +
        '- {group: "", version: v1, kind: Namespace, role: web}\n',
      'roles/web/role.yaml': 'tasks: [{status: {a: 1}}]\n',
      'roles/other/role.yaml': 'tasks: [{status: {b: 1}}]\n',
    })
    expect(crds.map(({ metadata }) => metadata.name)).to.deep.equal(['webs.example.com'])
  })

  long.it('makes of the shipped roles what their own samples fit into, and what check accepts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rolebook-inferred-'))
    try {
      for (const name of ['memcached', 'appservice', 'maintpage']) {
        cpSync(join('roles', name), join(folder, 'roles', name), { recursive: true })
        rmSync(join(folder, 'roles', name, 'crd.yaml'))
      }
      const watches = readFileSync('watches.yaml', 'utf8').split('\n\n')
      const kept = watches.filter((entry) => /role: (memcached|appservice|maintpage)$/m.test(entry))
      const project = await ProjectFolder.create({ 'watches.yaml': kept.join('\n\n') })
      const places = ['--watches-file', project.path('watches.yaml'), '--roles-path', join(folder, 'roles')]
      const terminal = new FakeTerminal()
      expect(
        await runProgram(['generate', 'crd', ...places, '--output', join(folder, 'roles/memcached')], terminal),
      ).to.equal(0)
      cpSync(join(folder, 'roles/memcached/crds.yaml'), join(folder, 'roles/memcached/crd.yaml'))
      rmSync(join(folder, 'roles/memcached/crds.yaml'))
      const checked = new FakeTerminal()
      expect(await runProgram(['check', ...places], checked), checked.stdout).to.equal(0)
      // What a role needs of its resource does not show in the role: a draft requires nothing, and check says what then goes wrong.
      expect(checked.stdout.match(/ (error|warning) RB(?!180[13])\d+/g), checked.stdout).to.equal(null)
      await project.delete()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

const SAMPLE = 'apiVersion: example.com/v1\nkind: Web\nmetadata: {name: sample}\n'
const SCHEMA = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties']

async function draftFor(files: Readonly<Record<string, string>>): Promise<KubeObject> {
  const [crd] = await crdsOf({ 'watches.yaml': WATCHES, ...files })
  return crd as KubeObject
}

async function crdsOf(files: Readonly<Record<string, string>>): Promise<readonly KubeObject[]> {
  const folder = await ProjectFolder.create(files)
  const places = ['--watches-file', folder.path('watches.yaml'), '--roles-path', folder.path('roles')]
  const terminal = new FakeTerminal()
  const code = await runProgram(['generate', 'crd', ...places, '--output', folder.path('out')], terminal)
  expect(code, terminal.stderr).to.equal(0)
  const text = readFileSync(folder.path('out/crds.yaml'), 'utf8')
  await folder.delete()
  expect(text).to.match(/^# A draft, from what the role web reads and writes/)
  return text.split('---\n').map((one) => parse(one) as KubeObject)
}
