import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import type { Chart, RenderedHook, Rendering, RenderRequest } from '../../../src/core/kube/helm-chart.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { ChartFailure } from '../../../src/engine/chart/chart-failure.ts'
import type { ChartPort } from '../../../src/engine/role/run/run-context.ts'
import { TaskFailure } from '../../../src/engine/role/task-outcome.ts'
import { compileTasks, runTasks, type TaskRun, type TaskRunOptions } from '../../support/task-run.ts'

const FILES = { 'charts/app/Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n' }
const CHART: Chart = { id: 'chart-1', name: 'app', version: '1.0.0', values: {} }
const MAP: JsonObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }

const CLUSTER_ROLE: JsonObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'system:a' },
}

const locate = async ({
  gvk,
  name,
  namespace = 'default',
}: {
  gvk: { kind: string }
  name: string
  namespace?: string
}) => ({ namespace: gvk.kind === 'ClusterRole' ? '' : namespace, name })

const task = (more = '', around = ''): string => `
- name: App
  chart:
    path: charts/app
    kinds: [v1/ConfigMap, v1/Secret, v1/Pod, batch/v1/Job, rbac.authorization.k8s.io/v1/ClusterRole]
    lookups: [v1/Secret]
${more}
${around}
`

interface Given extends Partial<Rendering> {
  readonly live?: KubeObject
  readonly children?: readonly KubeObject[]
  readonly isFinal?: boolean
  readonly failure?: Error
  readonly asks?: (request: RenderRequest) => Promise<unknown>
}

/** A renderer that returns what the test gives, and records what it was asked. */
function fakeCharts({ isFinal = false, children = [], failure, asks, ...rendering }: Given) {
  const requests: RenderRequest[] = []
  const removed: string[] = []
  const kept: string[] = []
  const port: ChartPort = {
    isFinal,
    loadChart: async () => CHART,
    async render(request) {
      requests.push(request)
      await asks?.(request)
      if (failure) throw failure
      return { crds: [], manifests: [], hooks: [], draws: [], ...rendering }
    },
    served: async () => ({ kubeVersion: 'v1.36.4', apiVersions: ['v1'] }),
    child: async ({ name }) => children.find(({ metadata }) => metadata.name === name),
    keep: async ({ name }) => void kept.push(name),
    remove: async ({ metadata }) => void removed.push(metadata.name ?? ''),
  }
  return { port, requests, removed, kept }
}

async function run(text: string, given: Given = {}, options: TaskRunOptions = {}) {
  const charts = fakeCharts(given)
  const ensure = async (object: KubeObject, { complete }: { complete?: unknown }): Promise<unknown> => {
    const made = complete ? await (complete as (live?: KubeObject) => Promise<KubeObject>)(given.live) : object
    return { object: made, changed: false }
  }
  const ports = { ...options.ports, ensure } as TaskRunOptions['ports']
  const result = await runTasks(text, { files: FILES, charts: charts.port, ...options, ...(ports && { ports }) })
  return { ...result, ...charts }
}

const sent = ({ ensured }: TaskRun): readonly KubeObject[] => ensured.map(({ object }) => object)
const rendered = (...objects: readonly JsonObject[]) => objects.map((object) => ({ source: 'a.yaml', object }))
const secretOf = (record: unknown): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'rolebook.release.w' },
  data: { 'release.json': Buffer.from(JSON.stringify(record)).toString('base64') },
})

describe('the chart task', () => {
  it('takes the spec for the values, and the resource for the release', async () => {
    const { requests, end } = await run(task(), { manifests: rendered(MAP) }, { spec: { a: 1 } })
    expect(end).to.equal('complete')
    expect(requests).to.have.length(1)
    expect(requests[0]).to.deep.include({
      values: { a: 1 },
      release: { name: 'w', namespace: 'default', revision: 1 },
      draws: [],
    })
  })

  it('takes values, a release name and a namespace of its own', async () => {
    const result = await run(
      task('    values: { b: "${spec.a}" }\n    releaseName: mine\n    namespace: other'),
      { manifests: rendered(MAP, CLUSTER_ROLE, { ...MAP, metadata: { name: 'c', namespace: 'third' } }) },
      { spec: { a: 1 }, ports: { locate } as never },
    )
    expect(result.requests[0]).to.deep.include({
      values: { b: 1 },
      release: { name: 'mine', namespace: 'other', revision: 1 },
    })
    const places = sent(result).map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)
    expect(places).to.deep.equal([
      'Secret other/rolebook.release.mine',
      'ConfigMap other/a',
      'ClusterRole undefined/system:a',
      'ConfigMap third/c',
    ])
  })

  const namespaces = [
    { name: 'an empty one is none', object: MAP, namespace: '', expected: undefined },
    { name: 'nothing is none', object: MAP, namespace: null, expected: undefined },
    { name: 'an empty one gives way to that of the task', object: MAP, namespace: '', of: 'other', expected: 'other' },
    { name: 'a kind of the whole cluster has none', object: CLUSTER_ROLE, namespace: 'third', expected: undefined },
  ]
  for (const { name, object, namespace, of = '', expected } of namespaces) {
    it(`takes namespaces as Helm does: ${name}`, async () => {
      const metadata = { ...(object.metadata as JsonObject), namespace }
      const more = of === '' ? '' : `    namespace: ${of}`
      const ports = { locate } as never
      const result = await run(task(more), { manifests: rendered({ ...object, metadata }) }, { ports })
      expect(result.end).to.equal('complete')
      expect(sent(result).map((one) => one.metadata.namespace)).to.deep.equal([of || undefined, expected])
    })
  }

  const records = [
    { name: 'the same chart and values are the same revision', digest: 'same', expected: 3 },
    { name: 'other ones are the next', digest: 'other', expected: 4 },
  ]
  for (const { name, digest, expected } of records) {
    it(`knows its release: ${name}`, async () => {
      const { requests: first, ensured } = await run(task())
      expect(first).to.have.length(1)
      const made = await ensured[0]?.options.complete?.(undefined)
      const { 'release.json': text } = (made?.data ?? {}) as Record<string, string>
      const record = JSON.parse(Buffer.from(text ?? '', 'base64').toString())
      const draws = [{ template: 't', function: 'f', value: 'kept' }]
      const live = secretOf({ ...record, revision: 3, draws, now: 42, ...(digest === 'other' && { digest }) })
      const { requests } = await run(task(), { live })
      expect(requests[0]).to.deep.include({ draws, now: 42 })
      expect(requests[0]?.release.revision).to.equal(expected)
    })
  }

  for (const data of [undefined, {}, { 'release.json': '' }, { 'release.json': 'e30=' }]) {
    it(`refuses a record that is none: ${JSON.stringify(data)}`, async () => {
      const live = { ...secretOf({}), data } as KubeObject
      expect((await run(task(), { live })).end).to.match(/^failed Invalid Secret "rolebook.release.w" does not hold/)
    })
  }

  it('makes the objects of a list, CRDs first and for good, and Secrets as data', async () => {
    const list = { apiVersion: 'v1', kind: 'ConfigMapList', items: [MAP, { ...MAP, metadata: { name: 'b' } }] }
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      data: null,
      stringData: { a: 'text', n: 1 },
    }
    const kept = { ...MAP, metadata: { name: 'k', annotations: { 'helm.sh/resource-policy': 'keep' } } }
    const result = await run(task(), {
      crds: rendered({ ...MAP, metadata: { name: 'crd' } }),
      manifests: rendered(list, secret, kept),
    })
    const made = result.ensured.slice(1).map(({ object, options }) => [object.metadata.name, options.retain])
    expect(made).to.deep.equal([
      ['crd', true],
      ['a', false],
      ['b', false],
      ['s', false],
      ['k', true],
    ])
    expect(sent(result).find(({ metadata }) => metadata.name === 's')).to.deep.include({
      data: { a: 'dGV4dA==', n: 'MQ==' },
    })
  })

  it('leaves what another group calls a Secret as the chart has it', async () => {
    const foreign = { apiVersion: 'example.com/v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'b' } }
    const text = task().replace('kinds: [', 'kinds: [example.com/v1/Secret, ')
    const result = await run(text, { manifests: rendered(foreign) })
    expect([result.end, sent(result).at(-1)]).to.deep.equal(['complete', foreign])
  })

  const refusals: readonly { name: string; text?: string; given?: Given; end: RegExp }[] = [
    {
      name: 'a name that is too long',
      text: task(`    releaseName: ${'a'.repeat(54)}`),
      end: /^failed Invalid the release name/,
    },
    { name: 'a name that is none', text: task('    releaseName: A B'), end: /^failed Invalid `releaseName`/ },
    {
      name: 'a Secret whose data is text beside its texts',
      given: {
        manifests: rendered({
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: 's' },
          data: 'text',
          stringData: { a: 'b' },
        }),
      },
      end: /^failed Invalid `data` is not a map/,
    },
    {
      name: 'values that are no object',
      text: task('    values: "${[1]}"'),
      end: /^failed Invalid `values` is not an object/,
    },
    {
      name: 'an object without kind',
      given: { manifests: rendered({ a: 1 }) },
      end: /without apiVersion, kind or metadata/,
    },
    {
      name: 'another kind',
      given: { manifests: rendered({ ...MAP, kind: 'Service' }) },
      end: /the chart makes a Service: add v1\/Service to the `kinds`/,
    },
    {
      name: 'a generated name',
      given: { manifests: rendered({ ...MAP, metadata: { generateName: 'a-' } }) },
      end: /the chart makes a ConfigMap with `generateName`/,
    },
    {
      name: 'a name that cannot be one',
      given: { manifests: rendered({ ...MAP, metadata: { name: 'A' } }) },
      end: /`metadata.name` "A" is not a valid name/,
    },
    {
      name: 'a namespace that cannot be one',
      given: { manifests: rendered({ ...MAP, metadata: { name: 'a', namespace: 'a/b' } }) },
      end: /`metadata.namespace` "a\/b" is not a valid name/,
    },
    {
      name: 'what Helm refuses',
      given: { failure: new ChartFailure('template', 'no luck') },
      end: /^failed Invalid no luck$/,
    },
    {
      name: 'what Helm refuses at length',
      given: { failure: new ChartFailure('template', `start${'x'.repeat(5000)}end`) },
      end: /^failed Invalid start.{1,1600}end$/,
    },
    {
      name: 'other errors as they are',
      given: { failure: new TaskFailure('Failed', 'else') },
      end: /^failed Failed else$/,
    },
  ]
  for (const { name, text = task(), given, end } of refusals) {
    it(`refuses ${name}`, async () => expect((await run(text, given)).end).to.match(end))
  }

  it('redacts what Helm refuses at length before it is cut', async () => {
    const token = 'c4nary'.repeat(300)
    const text = `- { sensitive: true, set: { token: "\${spec.token}" } }\n${task()}`
    const failure = new ChartFailure('template', `start${'x'.repeat(600)}${token}end`)
    const { end } = await run(text, { failure }, { spec: { token } })
    expect(end).to.match(/^failed Invalid startx+<redacted>end$/)
  })

  it('owns what it may make, its record, and reads what it may look up', () => {
    const permissionsOf = (around: string): readonly string[] => {
      const { role } = compileTasks(task('', around), FILES)
      return (role?.permissions ?? []).map(
        ({ gvk, access, retained, grants = 'nothing' }) =>
          `${access} ${gvk.kind}${retained ? ' for good' : ''}${grants === 'nothing' ? '' : `, what it grants is ${grants}`}`,
      )
    }
    const reads = 'read Secret'
    const clusterRole = 'own ClusterRole, what it grants is computed'
    expect(permissionsOf('')).to.deep.equal(['own Secret', 'own ConfigMap', 'own Pod', 'own Job', clusterRole, reads])
    expect(permissionsOf('  retain: true')).to.include('own ConfigMap for good')
  })

  const leaks: readonly { name: string; text: string; leaks: boolean }[] = [
    {
      name: 'a Secret that the chart made',
      text: `${task('', '  register: r')}\n- status: { a: "\${$r.objects[0].data}" }`,
      leaks: true,
    },
    { name: 'what it is called', text: `${task('', '  register: r')}\n- status: { a: "\${$r.name}" }`, leaks: false },
    {
      name: 'the name of an object',
      text: `${task('', '  register: r')}\n- status: { a: "\${$r.objects[0].metadata.name}" }`,
      leaks: false,
    },
    {
      name: 'what became of a Secret in its values',
      text: `- get: { apiVersion: v1, kind: Secret, name: a }\n  register: s\n${task('    values: { a: "${$s.data.a}" }', '  register: r')}\n- status: { a: "\${$r.objects[0].metadata.name}" }`,
      leaks: true,
    },
  ]
  for (const { name, text, leaks: isLeak } of leaks) {
    it(`${isLeak ? 'does not let' : 'lets'} a status show ${name}`, () => {
      const { diagnostics } = compileTasks(text, FILES)
      expect(diagnostics.some(({ code }) => code === 'RB1141')).to.equal(isLeak)
    })
  }

  it('is tried again when the renderer has come to an end', async () => {
    const { outcome } = await run(task(), { failure: new ChartFailure('engine', 'stopped') })
    expect(outcome.stoppedBy?.outcome).to.deep.include({ kind: 'failed', retriable: true })
  })

  it('fails where charts cannot be rendered', async () =>
    expect((await runTasks(task(), { files: FILES })).end).to.equal('failed Failed charts cannot be rendered here'))

  it('fails while the namespace of the resource goes', async () => {
    const charts = fakeCharts({}).port
    const ports = { ensure: async () => undefined }
    const { end } = await runTasks(task(), { files: FILES, charts, ports })
    expect(end).to.equal('failed Failed the namespace of the resource takes no release any more')
  })

  const PENDING = { ...MAP, kind: 'Pod', status: { phase: 'Pending' } }
  const judgements = [
    { name: 'by the rules of its kind', around: '', object: PENDING, judged: ['a notReady'], end: /^complete/ },
    { name: 'not at all', around: '  readyWhen: true', object: PENDING, judged: [], end: /^complete/ },
    {
      name: 'by an expression',
      around: '  readyWhen: ${$self.kind = "Pod"}',
      object: PENDING,
      judged: ['a ready'],
      end: /^complete/,
    },
    {
      name: 'by one that is false',
      around: '  readyWhen: ${$self.kind = "Job"}',
      object: PENDING,
      judged: ['a notReady'],
      end: /^complete/,
    },
    {
      name: 'and waited for',
      around: '  waitReady: true',
      object: PENDING,
      judged: ['a notReady'],
      end: /^waiting Pod a is not ready/,
    },
    {
      name: 'and waited for, as an expression says',
      around: '  waitReady: ${false}',
      object: PENDING,
      judged: ['a notReady'],
      end: /^complete/,
    },
    {
      name: 'and fails what waits for it',
      around: '  waitReady: true',
      object: { ...PENDING, status: { phase: 'Failed' } },
      judged: ['a failed'],
      end: /^failed Failed Pod a is not ready/,
    },
  ]
  for (const { name, around, object, judged, end } of judgements) {
    it(`counts an object ${name}`, async () => {
      const result = await run(task('', around), { manifests: rendered(object) })
      expect(result.judged.map((one) => one.replace(/:.*/s, ''))).to.deep.equal(judged)
      expect(result.end).to.match(end)
    })
  }

  describe('lookups', () => {
    const found: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }
    const denied = new TaskFailure('Forbidden', 'not here')
    const cases: readonly { name: string; query: [string, string, string, string]; ports: object; answer: unknown }[] =
      [
        { name: 'one object', query: ['v1', 'Secret', 'x', 'a'], ports: { get: async () => found }, answer: found },
        {
          name: 'one without a namespace',
          query: ['v1', 'Secret', '', 'a'],
          ports: { get: async () => found },
          answer: found,
        },
        {
          name: 'all objects',
          query: ['v1', 'Secret', '', ''],
          ports: { list: async () => [found] },
          answer: { apiVersion: 'v1', kind: 'SecretList', metadata: {}, items: [found] },
        },
        { name: 'a kind that is not listed', query: ['v1', 'Pod', 'x', 'a'], ports: {}, answer: undefined },
        {
          name: 'where nothing may be read',
          query: ['v1', 'Secret', 'x', 'a'],
          ports: { get: async () => Promise.reject(denied) },
          answer: undefined,
        },
      ]
    for (const { name, query, ports, answer } of cases) {
      it(`find ${name}`, async () => {
        const [apiVersion, kind, namespace, namee] = query
        let seen: unknown
        const asks = async ({ lookup }: RenderRequest): Promise<void> => {
          seen = await lookup?.({ apiVersion, kind, namespace, name: namee })
        }
        await run(task(), { asks }, { ports: ports as never })
        expect(seen).to.deep.equal(answer)
      })
    }

    it('fail as the server does', async () => {
      const asks = async ({ lookup }: RenderRequest): Promise<unknown> =>
        lookup?.({ apiVersion: 'v1', kind: 'Secret', namespace: '', name: 'a' })
      const get = async (): Promise<never> => Promise.reject(new TaskFailure('Failed', 'no answer'))
      expect((await run(task(), { asks }, { ports: { get } })).end).to.equal('failed Failed no answer')
    })
  })

  describe('hooks', () => {
    const hook = (name: string, more: Partial<RenderedHook> = {}, object: JsonObject = {}): RenderedHook => ({
      source: 'h.yaml',
      events: ['pre-install'],
      weight: 0,
      deletePolicies: [],
      object: { apiVersion: 'v1', kind: 'Pod', metadata: { name }, status: { phase: 'Succeeded' }, ...object },
      ...more,
    })
    const names = (result: TaskRun): readonly (string | undefined)[] =>
      sent(result)
        .filter(({ kind }) => kind !== 'Secret')
        .map(({ metadata }) => metadata.name)

    it('run by weight, then by name, before and after the objects', async () => {
      const hooks = [
        hook('c', { weight: 1 }),
        hook('b'),
        hook('z', { weight: -1 }),
        hook('a'),
        hook('end', { events: ['post-install'] }),
        hook('up', { events: ['pre-upgrade'] }),
      ]
      const result = await run(task(), { hooks, manifests: rendered({ ...MAP, metadata: { name: 'between' } }) })
      expect(names(result)).to.deep.equal(['z', 'a', 'b', 'c', 'between', 'end'])
      expect(result.kept).to.deep.equal(['z', 'a', 'b', 'c', 'end'])
    })

    const ends = [
      {
        name: 'a Pod that runs',
        object: { status: { phase: 'Running' } },
        end: /^waiting hook Pod a has not finished/,
      },
      {
        name: 'a Pod that failed',
        object: { status: { phase: 'Failed' } },
        end: /^failed Failed hook Pod a of the chart has failed/,
      },
      { name: 'a Pod without a status', object: { status: undefined as never }, end: /^waiting hook Pod a/ },
      {
        name: 'a Job that runs',
        object: { apiVersion: 'batch/v1', kind: 'Job', status: {} },
        end: /^waiting hook Job a/,
      },
      {
        name: 'a Job that is through',
        object: { apiVersion: 'batch/v1', kind: 'Job', status: { conditions: [{ type: 'Complete', status: 'True' }] } },
        end: /^complete/,
      },
      {
        name: 'a Job that failed',
        object: { apiVersion: 'batch/v1', kind: 'Job', status: { conditions: [{ type: 'Failed', status: 'True' }] } },
        end: /^failed Failed hook Job a/,
      },
      { name: 'what does not run', object: { kind: 'ConfigMap' }, end: /^complete/ },
    ]
    for (const { name, object, end } of ends) {
      it(`wait for their end: ${name}`, async () =>
        expect((await run(task(), { hooks: [hook('a', {}, object)] })).end).to.match(end))
    }

    it('are deleted when they have succeeded or failed, where their policy says so', async () => {
      const left: KubeObject = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'a', annotations: { 'charts.rolebook.dev/hook-run': '1-pre' } },
      }
      const gone = hook('a', { deletePolicies: ['hook-succeeded'] })
      expect((await run(task(), { hooks: [gone], children: [left] })).removed).to.deep.equal(['a'])
      expect((await run(task(), { hooks: [gone] })).removed, 'gone already').to.deep.equal([])
      const failing = hook('a', { deletePolicies: ['hook-failed'] }, { status: { phase: 'Failed' } })
      expect((await run(task(), { hooks: [failing] })).removed).to.deep.equal(['a'])
    })

    it('are deleted before they are made anew', async () => {
      const former: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }
      const result = await run(task(), { hooks: [hook('a')], children: [former] })
      expect(result.end).to.equal('waiting Pod a is being deleted, to be run anew')
      expect(result.removed).to.deep.equal(['a'])
    })

    it('of the deletion run when the resource goes, and nothing else is made', async () => {
      const hooks = [
        hook('late', { events: ['post-delete'] }),
        hook('early', { events: ['pre-delete'] }),
        hook('never'),
      ]
      const result = await run(task(), { hooks, manifests: rendered(MAP), isFinal: true })
      expect(names(result)).to.deep.equal(['early', 'late'])
      expect(result.end).to.equal('complete')
      const held = await run(task(), {
        hooks: [hook('early', { events: ['pre-delete'] }, { status: {} })],
        isFinal: true,
      })
      expect(held.end).to.equal('waiting hook Pod early has not finished')
    })
  })
})
