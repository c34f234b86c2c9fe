import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import { CodedError } from '../../../src/core/base/coded-error.ts'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import type { ResourceMapper } from '../../../src/core/kube/resource-mapper.ts'
import { type Connection, connect } from '../../../src/core/kube-client/connect.ts'
import type { Operator } from '../../../src/engine/operator/operator.ts'
import { LeaderElection } from '../../../src/engine/runtime/leader-election.ts'
import type { Intercept } from '../../../src/sandbox/apiserver/http/request-handler.ts'
import { clientWith } from '../../support/client-with.ts'
import { CONFIG_MAP, crd, OperatorSandbox, projectOf, WIDGET } from '../../support/operator-sandbox.ts'
import { type RunningOperator, startOperator } from '../../support/running-operator.ts'
import { Held, Switch } from '../../support/switched-leadership.ts'

const ROLE = `
tasks:
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}" }, data: { value: "\${spec.value}" } }
  - when: \${spec.monitored = true}
    ensure: { apiVersion: example.com/v1, kind: Missing, metadata: { name: "\${metadata.name}" } }
  - patch: { apiVersion: v1, kind: ConfigMap, metadata: { name: shared }, data: { value: "\${spec.value}" } }
`
const IN_TEAM = '- {group: example.com, version: v1, kind: Widget, role: widget, selector: {matchLabels: {team: a}}}\n'

const synced = (operator: Operator): readonly string[] =>
  [...operator.watches()].filter(({ isSynced }) => isSynced).map(({ kind }) => kind)

describe('An operator that may not lead', () => {
  /** Writes to ConfigMaps as the server got them: `rolebook/a w`. */
  const log: string[] = []
  const intercept: Intercept = ({ phase, method, path, userAgent }) => {
    const name = /configmaps\/([^/]+)$/.exec(path)?.[1]
    if (phase === 'before' && method !== 'GET' && name) log.push(`${userAgent.split(' ')[0]} ${name}`)
    return undefined
  }
  let sandbox: OperatorSandbox
  let leadership: Switch
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false, intercept, port: 0 })
    log.length = 0
    leadership = new Switch(false)
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'shared' } })
  })
  afterEach(() => sandbox.stop())

  const value = async (name = 'w'): Promise<unknown> => (await sandbox.get(CONFIG_MAP, name))?.data
  const shows = (wanted: string, name = 'w'): Promise<unknown> =>
    sandbox.until(
      () => value(name),
      (data) => JSON.stringify(data) === JSON.stringify({ value: wanted }),
    )

  it('writes nothing and has its caches filled when it leads', async () => {
    const watches: string[] = []
    const client: KubeClient = {
      ...new Held(sandbox.client).client,
      watch: (...given) => {
        watches.push(`${given[0].kind} ${given[1].labelSelector ?? ''}`)
        return sandbox.client.watch(...given)
      },
    }
    const operator = sandbox.run(await projectOf({ widget: ROLE }), { leadership, client })
    await sandbox.widget('w', { value: 'one' })
    await sandbox.until(
      async () => synced(operator),
      (kinds) => kinds.length === 3,
    )
    expect(synced(operator)).to.have.members(['ConfigMap', 'ConfigMap', 'Widget.example.com'])
    expect([...operator.watches()].map(({ isMain }) => isMain)).to.have.members([true, false, false])
    expect(await sandbox.settled()).to.deep.equal([])
    watches.length = 0
    leadership.turn(true)
    await sandbox.ready('Ready')
    expect([await value(), await value('shared')]).to.deep.equal([{ value: 'one' }, { value: 'one' }])
    // What a run looks for beyond its own: the foreign object that it patches, and a kind that was never there.
    expect(watches).to.deep.equal(['ConfigMap ', 'Missing rolebook.dev/owner-uid'])
  })

  it('is warm only when the caches of its children are filled, too', async () => {
    const gate = Promise.withResolvers<void>()
    const listed = Promise.withResolvers<void>()
    const waitFor = async ({ kind }: { readonly kind: string }): Promise<void> => {
      if (kind !== 'ConfigMap') return
      listed.resolve()
      await gate.promise
    }
    const client: KubeClient = {
      ...sandbox.client,
      list: async (gvk, options) => {
        await waitFor(gvk)
        return sandbox.client.list(gvk, options)
      },
      async *watch(gvk, options) {
        await waitFor(gvk)
        yield* sandbox.client.watch(gvk, options)
      },
    }
    const operator = sandbox.run(await projectOf({ widget: ROLE }), { leadership, client })
    await listed.promise
    await sandbox.until(
      async () => synced(operator),
      (kinds) => kinds.includes('Widget.example.com'),
    )
    const wasWarm = operator.isWarm
    gate.resolve()
    expect(wasWarm).to.equal(false)
    await sandbox.until(
      async () => operator.isWarm,
      (isWarm) => isWarm,
    )
    expect(synced(operator)).to.have.length(3)
  })

  it('is not warm while a watch is broken, since it would not see what it is to do', async () => {
    const broken = Promise.withResolvers<never>()
    const mended = Promise.withResolvers<void>()
    let opened = 0
    const client: KubeClient = {
      ...sandbox.client,
      async *watch(gvk, options) {
        if (gvk.kind !== 'Widget') return yield* sandbox.client.watch(gvk, options)
        if (++opened > 1) await mended.promise
        const events = sandbox.client.watch(gvk, options)[Symbol.asyncIterator]()
        for (;;) {
          const next = await (opened > 1 ? events.next() : Promise.race([events.next(), broken.promise]))
          if (next.done) return
          yield next.value
        }
      },
    }
    const operator = sandbox.run(await projectOf({ widget: ROLE }), { leadership, client })
    const until = (wanted: boolean): Promise<unknown> =>
      sandbox.until(
        async () => operator.isWarm,
        (isWarm) => isWarm === wanted,
      )
    await until(true)
    broken.reject(new Error('the connection is broken'))
    await until(false)
    expect(synced(operator)).to.have.length(3)
    mended.resolve()
    await until(true)
  })

  it('sees a kind that is not there yet as one that is not watched', async () => {
    const operator = sandbox.run(
      await projectOf(
        { gone: 'tasks: [{ status: { a: 1 } }]' },
        '- {group: example.com, version: v1, kind: Gone, role: gone}\n',
      ),
      { leadership },
    )
    await sandbox.settled()
    expect(synced(operator)).to.deep.equal([])
    await sandbox.cluster.install(crd({ group: 'example.com', version: 'v1', kind: 'Gone' }))
  })

  it('ends while it asks whether its kind is in namespaces', async () => {
    const asked = Promise.withResolvers<void>()
    const { mapper } = sandbox.cluster.connection
    const silent = {
      preferred: mapper.preferred.bind(mapper),
      refresh: mapper.refresh.bind(mapper),
      mappingFor: (): Promise<never> => {
        asked.resolve()
        return new Promise(() => undefined)
      },
    }
    sandbox.run(await projectOf({ widget: ROLE }), { leadership, mapper: silent, watchNamespaces: ['default'] })
    await asked.promise
    await sandbox.halt()
    expect([...(sandbox.operator?.watches() ?? [])]).to.deep.equal([])
  })

  it('leaves everything when it leads no longer, and takes it up when it leads again', async () => {
    leadership.turn(true)
    sandbox.run(await projectOf({ widget: ROLE }), { leadership })
    await sandbox.widget('w', { value: 'one' })
    await sandbox.ready('Ready')
    leadership.turn(false)
    await sandbox.settled()
    await sandbox.widget('w', { value: 'two' })
    expect([await sandbox.settled(), await value()]).to.deep.equal([[], { value: 'one' }])
    leadership.turn(true)
    leadership.turn(true)
    await shows('two')
  })

  it('keeps back what it notices only when it writes', async () => {
    leadership.turn(true)
    sandbox.run(await projectOf({ widget: ROLE }), { leadership })
    await sandbox.widget('w', { value: 'one' })
    await sandbox.ready('Ready')
    await sandbox.settled()
    leadership.leads = false
    await sandbox.widget('w', { value: 'two' })
    await sandbox.settled()
    expect(await value()).to.deep.equal({ value: 'one' })
    leadership.turn(true)
    await shows('two')
  })

  it('does not send what it began in a former term', async () => {
    leadership.turn(true)
    const held = new Held(sandbox.client)
    sandbox.run(await projectOf({ widget: ROLE }), { leadership, client: held.client })
    await sandbox.widget('w', { value: 'one' })
    await sandbox.ready('Ready')
    await sandbox.settled()
    const holding = held.hold()
    log.length = 0
    await sandbox.widget('w', { value: 'two' })
    await holding
    leadership.turn(false)
    await sandbox.widget('w', { value: 'three' })
    leadership.turn(true)
    expect(log).to.deep.equal([])
    held.release()
    await shows('three')
    expect(held.refused).to.equal(1)
  })

  it('follows its project, and refuses what would tear down', async () => {
    const operator = sandbox.run(await projectOf({ widget: ROLE }), { leadership })
    await sandbox.widget('w', { value: 'one' })
    await sandbox.until(
      async () => synced(operator),
      (kinds) => kinds.includes('Widget.example.com'),
    )
    await sandbox.settled()
    expect(operator.replaceProject(await projectOf({ widget: ROLE }, IN_TEAM)).kind).to.equal('refused')
    const other = await projectOf({ widget: ROLE.replaceAll('${spec.value}', 'new') })
    expect(operator.replaceProject(other).kind).to.equal('replaced')
    expect(await sandbox.settled()).to.deep.equal([])
    leadership.turn(true)
    await shows('new')
    const gadgets = await projectOf(
      { widget: ROLE },
      '- {group: example.com, version: v1, kind: Gadget, role: widget}\n',
    )
    expect(operator.replaceProject(gadgets).kind).to.equal('refused')
    await sandbox.remove(WIDGET, 'w')
    await sandbox.gone(WIDGET, 'w')
    leadership.turn(false)
    await sandbox.until(
      async () => operator.replaceProject(gadgets).kind,
      (kind) => kind === 'replaced',
    )
    await sandbox.until(
      async () => synced(operator),
      (kinds) => !kinds.includes('Widget.example.com'),
    )
  })

  it('watches nothing that a reload has dropped: neither kinds of children nor namespaces', async () => {
    const watches: string[] = []
    const client = clientWith(sandbox.client, {
      watch: async function* (gvk, options) {
        const name = [gvk.kind, options.namespace ?? [], options.labelSelector ?? []].flat().join(' ')
        watches.push(name)
        try {
          yield* sandbox.client.watch(gvk, options)
        } finally {
          watches.splice(watches.indexOf(name), 1)
        }
      },
    })
    const shows = async (...wanted: readonly string[]): Promise<void> => {
      await sandbox.until(
        async () => [...watches].sort(),
        (seen) => JSON.stringify(seen) === JSON.stringify(wanted),
      )
    }
    const own = (kind: string, apiVersion = 'v1'): string =>
      `tasks: [{ensure: {apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: "\${metadata.name}"}}}]\n`
    const inside = (...namespaces: readonly string[]): string =>
      `- {group: example.com, version: v1, kind: Widget, role: widget, namespaces: [${namespaces}]}\n`
    const owned = 'rolebook.dev/owner-uid'
    const operator = sandbox.run(await projectOf({ widget: own('ConfigMap') }, inside('one', 'two')), {
      leadership,
      client,
    })
    await shows(`ConfigMap one ${owned}`, `ConfigMap two ${owned}`, 'Widget one', 'Widget two')
    operator.replaceProject(await projectOf({ widget: own('ConfigMap') }, inside('two')))
    await shows(`ConfigMap two ${owned}`, 'Widget two')
    operator.replaceProject(await projectOf({ widget: own('Secret') }, inside('two')))
    await shows(`Secret two ${owned}`, 'Widget two')
    operator.replaceProject(await projectOf({ widget: own('StorageClass', 'storage.k8s.io/v1') }, inside('two')))
    await shows(`StorageClass ${owned}`, 'Widget two')
    const everywhere = await projectOf({ widget: own('Secret') })
    operator.replaceProject(await projectOf({ widget: own('ConfigMap') }, inside('one')))
    // The former is past before it is taken up.
    operator.replaceProject(everywhere)
    await shows(`Secret ${owned}`, 'Widget')
  })

  it('goes on watching what a reload keeps, also when the server cannot say what it serves', async () => {
    const { mapper } = sandbox.cluster.connection
    let isAway = false
    const moody: ResourceMapper = {
      preferred: mapper.preferred.bind(mapper),
      refresh: mapper.refresh.bind(mapper),
      mappingFor: async (gvk) => {
        if (isAway) throw new ApiError(503, 'ServiceUnavailable', 'x')
        return mapper.mappingFor(gvk)
      },
    }
    const operator = sandbox.run(await projectOf({ widget: ROLE }), { leadership, mapper: moody })
    const kinds = ['ConfigMap', 'ConfigMap', 'Widget.example.com']
    await sandbox.until(
      async () => synced(operator),
      (seen) => seen.length === kinds.length,
    )
    isAway = true
    operator.replaceProject(await projectOf({ widget: ROLE.replaceAll('${spec.value}', 'new') }))
    await sandbox.settled()
    expect(synced(operator)).to.have.members(kinds)
  })

  it('gives up what it finishes when it leads no longer', async () => {
    leadership.turn(true)
    const held = new Held(sandbox.client)
    const options = { leadership, client: held.client, gracePeriod: 600_000 }
    sandbox.run(await projectOf({ widget: ROLE }), options)
    await sandbox.widget('w', { value: 'one' })
    await sandbox.ready('Ready')
    await sandbox.settled()
    const holding = held.hold()
    await sandbox.widget('w', { value: 'two' })
    await holding
    const halted = sandbox.halt()
    leadership.turn(false)
    leadership.turn(true)
    held.release()
    await halted
    expect(await value()).to.deep.equal({ value: 'one' })
  })

  it('lets nothing be sent after its end, which may be followed by another leader', async () => {
    leadership.turn(true)
    const checks: (() => void)[] = []
    const client: KubeClient = {
      ...new Held(sandbox.client).client,
      apply: (object, options) => {
        if (options.beforeSend) checks.push(options.beforeSend)
        return sandbox.client.apply(object, options)
      },
    }
    sandbox.run(await projectOf({ widget: ROLE }), { leadership, client })
    await sandbox.widget('w', { value: 'one' })
    await sandbox.ready('Ready')
    expect(checks[0]).to.not.throw()
    await sandbox.halt()
    expect(checks[0]).to.throw(CodedError).with.property('code', 'NotLeading')
  })

  describe('with another one beside it', () => {
    const others: (RunningOperator | Connection | { stop(): Promise<void> })[] = []
    afterEach(async () => {
      for (const other of others.splice(0).reverse()) await ('close' in other ? other.close() : other.stop())
    })

    /** A process of its own, with its own clock for the lease. */
    async function replica(name: string) {
      const clock = new FakeClock()
      const connection = await connect({
        server: sandbox.access,
        userAgent: `rolebook/${name}`,
        logger: nopLogger,
        clock: systemClock,
      })
      others.push(connection)
      const held = new Held(connection.client)
      const election = new LeaderElection({
        client: connection.client,
        clock,
        logger: nopLogger,
        lease: { namespace: 'default', name: 'rolebook' },
        identity: name,
        fieldManager: 'rolebook',
      })
      const stop = new AbortController()
      const ended = election.start(stop.signal)
      others.push({
        stop: async () => {
          stop.abort()
          clock.fireNext()
          await ended
        },
      })
      const project = await projectOf({ widget: ROLE })
      others.push(startOperator({ connection }, project, { leadership: election, client: held.client }))
      return { clock, election, held }
    }

    /** Lets the lease's time pass until it leads. */
    const untilLeads = ({ clock, election }: { clock: FakeClock; election: LeaderElection }): Promise<unknown> =>
      sandbox.until(
        async () => {
          await clock.advance(500)
          return election.leads
        },
        (leads) => leads,
      )

    it('after it was stopped in the middle of a write, that write never arrives', async () => {
      const a = await replica('a')
      await untilLeads(a)
      await sandbox.widget('w', { value: 'one' })
      await shows('one')
      const b = await replica('b')
      const holding = a.held.hold()
      await sandbox.widget('w', { value: 'two' })
      await holding
      await untilLeads(b)
      await shows('two')
      log.length = 0
      a.clock.pass(60_000)
      a.held.release()
      await sandbox.widget('w', { value: 'three' })
      await shows('three')
      expect(a.election.leads).to.equal(false)
      expect(log).to.include('rolebook/b w')
      expect(log.filter((write) => write.startsWith('rolebook/a'))).to.deep.equal([])
    })
  })
})
