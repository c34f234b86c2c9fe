import { expect } from 'chai'
import type { KubeClient } from '../../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { clientWith } from '../../../support/client-with.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const MAKE = '  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "${metadata.name}" } }\n'
const GET = '  - get: { apiVersion: v1, kind: ConfigMap, name: source, optional: true }\n    register: source\n'
const SHOW = '  - status: { seen: "${$source.data.seen}" }\n'
const GET_SECRET = '  - get: { apiVersion: v1, kind: Secret, name: secret, optional: true }\n'
const list = (label: string): string =>
  `  - list: { apiVersion: v1, kind: ConfigMap, labels: { ${label}, for: "\${metadata.name}" } }\n`
const role = (...tasks: string[]): string => `tasks:\n${tasks.join('')}`

const CHILDREN = 'ConfigMap rolebook.dev/owner-uid'
const WIDGETS = 'Widget'

const SELECTED = (team: string): string =>
  `- {group: example.com, version: v1, kind: Widget, role: ${team}, selector: {matchLabels: {team: ${team}}}}\n`

describe('A reload', () => {
  let sandbox: OperatorSandbox
  let open: string[]
  let opened: string[]
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    open = []
    opened = []
  })
  afterEach(() => sandbox.stop())

  /** The client, whose watches are counted. */
  function counted(client: KubeClient): KubeClient {
    return clientWith(client, {
      watch: async function* (gvk, options) {
        const name = [gvk.kind, options.labelSelector || [], options.metadataOnly ? '(metadata)' : []].flat().join(' ')
        open.push(name)
        opened.push(name)
        try {
          yield* client.watch(gvk, options)
        } finally {
          open.splice(open.indexOf(name), 1)
        }
      },
    })
  }

  const cases: { name: string; before: string; after: string; left: string[]; gone: string[]; added?: string[] }[] = [
    {
      name: 'a get beside an ensure of the same kind',
      before: role(MAKE, GET, GET_SECRET),
      after: role(MAKE, GET_SECRET),
      left: ['Secret (metadata)', CHILDREN, WIDGETS],
      gone: ['ConfigMap'],
    },
    {
      name: 'the only get of a kind',
      before: role(MAKE, GET, GET_SECRET),
      after: role(MAKE, GET),
      left: ['ConfigMap', CHILDREN, WIDGETS],
      gone: ['Secret (metadata)'],
    },
    {
      name: 'one of two lists of a kind',
      before: role(list('tier: web'), list('tier: db')),
      after: role(list('tier: db')),
      left: ['ConfigMap tier=db', WIDGETS],
      gone: ['ConfigMap tier=web'],
    },
    {
      name: 'a get of a kind that is still listed',
      before: role(list('tier: db'), GET),
      after: role(list('tier: db')),
      left: ['ConfigMap tier=db', WIDGETS],
      gone: ['ConfigMap'],
    },
    {
      name: 'what was literal in a list',
      before: role(list('tier: web')),
      after: role(list('tier: "${$lowercase(\'WEB\')}"')),
      left: ['ConfigMap', WIDGETS],
      gone: ['ConfigMap tier=web'],
      added: ['ConfigMap'],
    },
    {
      name: 'nothing',
      before: role(MAKE, GET, list('tier: web')),
      after: role(MAKE, list('tier: web'), GET, '  - status: { more: true }\n'),
      left: ['ConfigMap', 'ConfigMap tier=web', CHILDREN, WIDGETS],
      gone: [],
    },
  ]
  for (const { name, before, after, left, gone, added = [] } of cases) {
    it(`that drops ${name} ends the watches that are no longer needed, and no other`, async () => {
      const operator = sandbox.run(await projectOf({ widget: before }), { client: counted(sandbox.client) })
      for (const widget of ['a', 'b']) await sandbox.widget(widget)
      for (const widget of ['a', 'b']) await sandbox.ready('Ready', { name: widget })
      await sandbox.settled()
      expect(open).to.have.members([...left.filter((watch) => !added.includes(watch)), ...gone])
      opened.length = 0
      operator.replaceProject(await projectOf({ widget: after }))
      await sandbox.until(
        async () => open,
        () => gone.every((watch) => !open.includes(watch)),
      )
      await sandbox.settled()
      expect(open).to.have.members(left)
      expect(opened).to.deep.equal(added)
    })
  }

  it('leaves a role awake for what it still reads, and for what it reads anew', async () => {
    const seen = (value: string): Promise<unknown> =>
      sandbox.until(
        () => sandbox.get(WIDGET, 'w'),
        (widget) => (widget?.status as { seen?: string } | undefined)?.seen === value,
      )
    const source = (value: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'source' },
      data: { seen: value },
    })
    await sandbox.apply(source('one'))
    const operator = sandbox.run(await projectOf({ widget: role(GET, GET_SECRET, SHOW) }), {
      client: counted(sandbox.client),
    })
    await sandbox.widget('w')
    await seen('one')
    for (const [tasks, value] of [
      [[GET, SHOW], 'two'],
      [[SHOW.replace('$source.data.seen', "'none'")], 'none'],
      [[GET, SHOW], 'three'],
    ] as const) {
      operator.replaceProject(await projectOf({ widget: role(...tasks) }))
      await sandbox.settled()
      if (value !== 'none') await sandbox.apply(source(value))
      await seen(value)
    }
    await sandbox.edit(CONFIG_MAP, 'source', { data: { seen: 'four' } })
    await seen('four')
    expect(open).to.have.members(['ConfigMap', WIDGETS])
  })

  it('of one entry leaves the informers of another entry of the kind alone', async () => {
    const watches = SELECTED('one') + SELECTED('two')
    const client = counted(sandbox.client)
    const operator = sandbox.run(await projectOf({ one: role(GET, GET_SECRET), two: role(GET) }, watches), { client })
    for (const team of ['one', 'two']) await sandbox.widget(team, {}, { labels: { team } })
    for (const name of ['one', 'two']) await sandbox.ready('Ready', { name })
    await sandbox.settled()
    const runs = sandbox.runs.length
    operator.replaceProject(await projectOf({ one: role('  - status: { a: b }\n'), two: role(GET) }, watches))
    await sandbox.settled()
    expect(open).to.have.members(['ConfigMap', 'Widget team=one', 'Widget team=two'])
    expect(sandbox.runs.slice(runs).map(({ request }) => request.name))
      .to.include('one')
      .and.not.include('two')
  })
})
