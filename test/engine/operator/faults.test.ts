import { expect } from 'chai'
import type { KubeClient, WatchEvent, WatchOptions } from '../../../src/core/kube/client.ts'
import type { Intercept, InterceptedRequest } from '../../../src/sandbox/apiserver/http/request-handler.ts'
import { clientWith } from '../../support/client-with.ts'
import { failureReply } from '../../support/failure-reply.ts'
import { long } from '../../support/long-tests.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, SECRET, WIDGET } from '../../support/operator-sandbox.ts'

const ROLE = `
tasks:
  - name: Settings
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: settings }, data: { size: "s\${spec.size}" } }
`

interface Fault {
  readonly name: string
  /** How often the fault happens. */
  readonly times: number
  /** Where it happens. */
  readonly at: (request: InterceptedRequest) => boolean
  readonly reply: ReturnType<Intercept>
}

const applies = ({ method, path }: InterceptedRequest): boolean =>
  method === 'PATCH' && path.endsWith('/configmaps/settings')
const statusWrites = ({ method, path }: InterceptedRequest): boolean => method === 'PATCH' && path.endsWith('/status')
const asked =
  (at: Fault['at']): Fault['at'] =>
  (request) =>
    request.phase === 'before' && at(request)
const answered =
  (at: Fault['at']): Fault['at'] =>
  (request) =>
    request.phase === 'after' && at(request)

/** What passes by itself: the end is as if nothing had happened, and neither the condition Stalled nor a warning reports it. */
const PASSING: readonly Fault[] = [
  { name: 'a conflict on an apply', times: 2, at: asked(applies), reply: failureReply(409, 'Conflict') },
  { name: 'a conflict on a status write', times: 2, at: asked(statusWrites), reply: failureReply(409, 'Conflict') },
  { name: 'a server that fails', times: 2, at: asked(applies), reply: failureReply(500, 'InternalError') },
  { name: 'an apply without answer', times: 1, at: answered(applies), reply: 'drop' },
  { name: 'a status write without answer', times: 1, at: answered(statusWrites), reply: 'drop' },
  { name: 'a connection that breaks', times: 2, at: asked(applies), reply: 'drop' },
  {
    name: 'a name taken at the last moment',
    times: 1,
    at: asked(applies),
    reply: failureReply(409, 'AlreadyExists'),
  },
]

const FORBIDDEN =
  'configmaps "settings" is forbidden: User "operator" cannot patch resource "configmaps" in API group ""'

/** What needs a person: the condition says so, and it goes when the fault does. */
const LASTING = [
  {
    name: 'a missing right',
    reply: failureReply(403, 'Forbidden', FORBIDDEN),
    reason: 'Forbidden',
    message: 'grant {apiGroups: [""], resources: [configmaps], verbs: [patch]}',
  },
  {
    name: 'an admission that refuses',
    reply: failureReply(403, 'Forbidden', 'admission webhook "x" denied'),
    reason: 'Forbidden',
    message: 'webhook "x"',
  },
  {
    name: 'a schema that refuses',
    reply: failureReply(422, 'Invalid', 'data.size: Invalid value'),
    reason: 'Invalid',
    message: 'data.size',
  },
  {
    name: 'an object that is too large',
    reply: failureReply(413, 'RequestEntityTooLarge'),
    reason: 'Invalid',
    message: '',
  },
  {
    name: 'a namespace that ends',
    reply: failureReply(403, 'Forbidden', 'ending', {
      causes: [{ reason: 'NamespaceTerminating', message: 'ending' }],
    }),
    reason: 'Failed',
    message: 'its namespace is being deleted',
  },
]

describe('faults of the server', () => {
  let sandbox: OperatorSandbox
  let fault: Fault | undefined
  let count = 0

  beforeEach(async () => {
    fault = undefined
    count = 0
    const intercept: Intercept = (request) => {
      if (!fault?.at(request) || count >= fault.times) return undefined
      count++
      return fault.reply
    }
    sandbox = await OperatorSandbox.start({ workloads: false, intercept })
  })
  afterEach(() => sandbox.stop())

  for (const one of PASSING) {
    it(`pass without a trace: ${one.name}`, async () => {
      sandbox.run(await projectOf({ widget: ROLE }))
      fault = one
      await sandbox.widget('w', { size: 1 })
      await sandbox.ready('Ready')
      await sandbox.settled()
      expect(count).to.equal(one.times)
      expect((await sandbox.get(CONFIG_MAP, 'settings'))?.data).to.deep.equal({ size: 's1' })
      expect((await sandbox.get(WIDGET, 'w'))?.status).to.include({ observedGeneration: 1 })
      expect(sandbox.runs.some(({ ready }) => ready?.type === 'Stalled')).to.equal(false)
      expect(sandbox.warnings.filter((warning) => warning.includes('reconcile'))).to.deep.equal([])
    })
  }

  for (const { name, reply, reason, message } of LASTING) {
    it(`stand in the condition, and leave it: ${name}`, async () => {
      sandbox.run(await projectOf({ widget: ROLE }))
      fault = { name, times: Number.POSITIVE_INFINITY, at: asked(applies), reply }
      await sandbox.widget('w', { size: 1 })
      const condition = await sandbox.ready(reason)
      expect(condition.message).to.contain('task "Settings"').and.to.contain(message)
      expect(await sandbox.condition('Stalled')).to.include({ status: 'True', reason })
      expect(await sandbox.settled()).to.deep.equal([
        'apply ConfigMap default/settings',
        'patch Widget/status default/w',
      ])
      fault = undefined
      await sandbox.widget('w', { size: 2 })
      await sandbox.ready('Ready', { generation: 2 })
      expect(await sandbox.condition('Stalled')).to.equal(undefined)
    })
  }

  it('do not delay other resources while a webhook refuses one object, however long', async () => {
    const role = ROLE.replace('name: settings', 'name: "${metadata.name}"')
    sandbox.run(await projectOf({ widget: role }))
    const details = { retryAfterSeconds: 86_400 }
    const reply = failureReply(429, 'TooManyRequests', 'admission webhook "quota" denied the request', details)
    const at = asked(({ method, path }) => method === 'PATCH' && path.endsWith('/configmaps/poison'))
    fault = { name: '', times: Number.POSITIVE_INFINITY, at, reply }
    await sandbox.widget('poison', { size: 1 })
    await sandbox.until(async () => count, Boolean)
    await sandbox.widget('good', { size: 1 })
    await sandbox.ready('Ready', { name: 'good' })
    expect(count).to.equal(1)
  })

  it('show when they last, as something in progress', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    fault = {
      name: '',
      times: Number.POSITIVE_INFINITY,
      at: asked(applies),
      reply: failureReply(503, 'ServiceUnavailable'),
    }
    await sandbox.widget('w', { size: 1 })
    await sandbox.ready('Failed')
    expect((await sandbox.condition('Reconciling'))?.status).to.equal('True')
    expect(await sandbox.condition('Stalled')).to.equal(undefined)
  })

  it('never show what is in a Secret', async () => {
    const role =
      'tasks: [{name: Key, ensure: {apiVersion: v1, kind: Secret, metadata: {name: key}, stringData: {a: "${spec.value}"}}}]\n'
    sandbox.run(await projectOf({ widget: role }))
    const causes = [{ field: 'data.a', reason: 'FieldValueInvalid', message: 'Invalid value: "aHVudGVyMg=="' }]
    const reply = failureReply(422, 'Invalid', 'data.a: Invalid value: "aHVudGVyMg=="', { causes })
    fault = { name: '', times: 9, at: ({ path, method }) => method === 'PATCH' && path.endsWith('/secrets/key'), reply }
    await sandbox.widget('w', { value: 'hunter2' })
    const { message } = await sandbox.ready('Invalid')
    expect(message).to.contain('data.a: FieldValueInvalid')
    expect(JSON.stringify((await sandbox.get(WIDGET, 'w'))?.status)).to.not.contain('aHVudGVyMg')
  })

  it('leave a field to a rival after a while, and name both', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('w', { size: 1 })
    await sandbox.ready('Ready')
    for (let round = 0; round < 6; round++) {
      await sandbox.settled()
      await sandbox.edit(CONFIG_MAP, 'settings', { data: { size: `theirs ${round}` } })
    }
    const { message } = await sandbox.ready('Conflict')
    expect(message).to.contain('`data.size`').and.to.contain('"person"')
    expect((await sandbox.condition('Stalled'))?.reason).to.equal('DriftFight')
    await sandbox.settled()
    await sandbox.edit(CONFIG_MAP, 'settings', { data: { size: 'theirs again' } })
    expect(await sandbox.settled()).to.deep.equal([])
  })

  long.it('do not let a watch that lags bring a second child or keep one that is not wanted any more', async () => {
    const role = ROLE.replace('name: settings', 'name: "s-${spec.name}"')
    sandbox.run(await projectOf({ widget: role }), { client: laggingFor('ConfigMap', 400, sandbox.client) })
    await sandbox.widget('w', { name: 'warm', size: 1 })
    await sandbox.ready('Ready')
    for (const [index, name] of ['a', 'b', 'c'].entries()) {
      await sandbox.widget('w', { name, size: 1 })
      await sandbox.ready('Ready', { generation: index + 2 })
    }
    const names = async (): Promise<string> => {
      const { items } = await sandbox.client.list(CONFIG_MAP, {
        namespace: 'default',
        labelSelector: 'rolebook.dev/owner-uid',
      })
      return items.map(({ metadata }) => metadata.name).join()
    }
    expect(await sandbox.until(names, (seen) => seen === 's-c')).to.equal('s-c')
    await sandbox.settled()
    expect(sandbox.runs.every(({ ready }) => ready?.status !== 'False')).to.equal(true)
  })

  it('do not keep an operator from stopping while it waits for a kind that never answers', async () => {
    const watched = Promise.withResolvers<void>()
    const silent = clientWith(sandbox.client, {
      watch: (gvk, options) => {
        if (gvk.kind !== 'ConfigMap') return sandbox.client.watch(gvk, options)
        watched.resolve()
        return untilAborted(options)
      },
    })
    sandbox.run(await projectOf({ widget: ROLE }), { client: silent })
    await sandbox.widget('w', { size: 1 })
    await watched.promise
    await sandbox.halt()
  })

  it('delete nothing when what the role read was not there by mistake', async () => {
    const role = `
tasks:
  - { name: Read, list: { apiVersion: v1, kind: ConfigMap, labels: { parts: "yes" } }, register: parts }
  - name: One for each
    loop: \${$parts}
    ensure: { apiVersion: v1, kind: Secret, metadata: { name: "\${$item.metadata.name}" } }
`
    for (const name of ['a', 'b']) {
      await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { parts: 'yes' } } })
    }
    const project = await projectOf({ widget: role })
    sandbox.run(project)
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.restart(project, { client: blindFor('parts', sandbox.client) })
    await sandbox.settled()
    for (const name of ['a', 'b']) expect(await sandbox.get(SECRET, name)).to.not.equal(undefined)
  })

  it('leave nothing behind when a list of what is to go is empty by mistake', async () => {
    const role = ROLE.replace('name: settings', 'name: settings, namespace: kube-public')
    const watches =
      '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: [kube-public]}\n'
    const list: KubeClient['list'] = (gvk, options) =>
      options?.labelSelector?.includes('=') ? Promise.resolve(NOTHING) : sandbox.client.list(gvk, options)
    sandbox.run(await projectOf({ widget: role }, watches), { client: clientWith(sandbox.client, { list }) })
    await sandbox.widget('w', { size: 1 })
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.remove(WIDGET, 'w')
    await sandbox.gone(WIDGET, 'w')
    expect(await sandbox.get(CONFIG_MAP, 'settings', 'kube-public')).to.equal(undefined)
  })
})

const NOTHING = { items: [], resourceVersion: '1' }

/** A client whose watches and full lists show nothing of what carries a label. */
function blindFor(label: string, client: KubeClient): KubeClient {
  const isHidden = (options?: { labelSelector?: string | undefined; metadataOnly?: boolean | undefined }): boolean =>
    options?.labelSelector?.includes(label) === true && !options.metadataOnly
  const annotations = { 'k8s.io/initial-events-end': 'true' }
  const end = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { resourceVersion: '1', annotations } }
  return clientWith(client, {
    list: async (gvk, options) => (isHidden(options) ? { items: [], resourceVersion: '1' } : client.list(gvk, options)),
    async *watch(gvk, options) {
      if (!isHidden(options)) return yield* client.watch(gvk, options)
      yield { type: 'BOOKMARK', object: end }
      await new Promise<void>((resolve) => options.signal?.addEventListener('abort', () => resolve(), { once: true }))
    },
  })
}

/** A client whose watches of a kind deliver late. */
function laggingFor(kind: string, milliseconds: number, client: KubeClient): KubeClient {
  return clientWith(client, {
    async *watch(gvk, options) {
      for await (const event of client.watch(gvk, options)) {
        if (gvk.kind === kind) await new Promise((resolve) => setTimeout(resolve, milliseconds))
        yield event
      }
    },
  })
}

async function* untilAborted({ signal }: WatchOptions): AsyncGenerator<WatchEvent> {
  await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))
  yield* []
}
