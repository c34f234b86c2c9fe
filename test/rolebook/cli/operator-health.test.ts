import { expect } from 'chai'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import type { KubeClient, WatchEvent } from '../../../src/core/kube/client.ts'
import type { Gvk } from '../../../src/core/kube/group-version-kind.ts'
import type { WatchState } from '../../../src/engine/operator/operator.ts'
import { Metrics } from '../../../src/engine/runtime/metrics.ts'
import { OperatorHealth } from '../../../src/rolebook/cli/operator-health.ts'
import { clientWith } from '../../support/client-with.ts'
import { crd, OperatorSandbox, projectOf } from '../../support/operator-sandbox.ts'

const CRD = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
const AWAKE = { isStarved: false }

/** A client on which the watches of one kind can be cut, and stay so. */
function cuttable(client: KubeClient, kind: string) {
  const cut = new AbortController()
  const isDown = (gvk: Gvk): boolean => gvk.kind === kind && cut.signal.aborted
  const away = (): never => {
    throw new ApiError(503, 'ServiceUnavailable', 'the kind is away')
  }
  async function* watch(gvk: Gvk, options: Parameters<KubeClient['watch']>[1]): AsyncGenerator<WatchEvent> {
    if (isDown(gvk)) away()
    const own = gvk.kind === kind ? [cut.signal] : []
    const signal = AbortSignal.any([...own, ...(options.signal ? [options.signal] : [])])
    try {
      yield* client.watch(gvk, { ...options, signal })
    } catch (error) {
      if (isDown(gvk)) away()
      throw error
    }
  }
  const list: KubeClient['list'] = async (gvk, options) => (isDown(gvk) ? away() : client.list(gvk, options))
  return { client: clientWith(client, { list, watch }), cut: () => cut.abort() }
}

describe('the watch of one kind is down for good', () => {
  it('fails readiness for that kind, moves its metric, and leaves the process alive', async () => {
    const sandbox = await OperatorSandbox.start()
    try {
      const { client, cut } = cuttable(sandbox.client, 'ConfigMap')
      const metrics = new Metrics({ version: '1' })
      const role = 'tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: m}}}]\n'
      const operator = sandbox.run(await projectOf({ widget: role }), { client, metrics })
      const health = new OperatorHealth(operator, AWAKE)
      const problems = async (): Promise<Record<string, unknown>> =>
        Object.fromEntries(health.ready().map(({ name, problem }) => [name, problem]))
      await sandbox.widget('w')
      await sandbox.ready('Ready')
      const well = { operator: undefined, 'watch-ConfigMap': undefined, 'watch-Widget.example.com': undefined }
      expect(await problems()).to.deep.equal(well)
      const live = async (): Promise<readonly string[]> =>
        (await metrics.expose()).text.split('\n').filter((line) => line.startsWith('rolebook_watch_live{'))
      expect((await live()).join()).not.to.include('} 0')
      cut()
      await sandbox.until(problems, (seen) => seen['watch-ConfigMap'] !== undefined)
      expect(await problems()).to.deep.equal({ ...well, 'watch-ConfigMap': 'the watch is down' })
      expect(await live()).to.include.members([
        'rolebook_watch_live{kind="ConfigMap"} 0',
        'rolebook_watch_live{kind="Widget.example.com"} 1',
      ])
      expect(health.live().map(({ problem }) => problem)).to.deep.equal([undefined, undefined])
    } finally {
      await sandbox.stop()
    }
  })
})

describe('a kind that no role makes any more', () => {
  it('may be uninstalled: the operator stays ready', async () => {
    const late = { group: 'late.example.com', version: 'v1', kind: 'Late' }
    const sandbox = await OperatorSandbox.start({ workloads: false })
    try {
      await sandbox.cluster.install(crd(late))
      const make = 'tasks: [{ensure: {apiVersion: late.example.com/v1, kind: Late, metadata: {name: l}}}]\n'
      const operator = sandbox.run(await projectOf({ widget: make }))
      await sandbox.widget('w')
      await sandbox.ready('Ready')
      operator.replaceProject(await projectOf({ widget: 'tasks: [{status: {a: 1}}]\n' }))
      await sandbox.gone(late, 'l')
      await sandbox.remove(CRD, 'lates.late.example.com')
      await sandbox.until(
        async () => [...operator.watches()],
        (watches) => watches.some(({ kind, live }) => kind === 'Late.late.example.com' && !live),
      )
      const problems = new OperatorHealth(operator, AWAKE).ready().map(({ problem }) => problem)
      expect(problems).to.deep.equal([undefined, undefined])
    } finally {
      await sandbox.stop()
    }
  })
})

describe('a replica that waits for leadership', () => {
  it('is ready as soon as it sees what it needs to take over, and says that it does not lead', async () => {
    const sandbox = await OperatorSandbox.start()
    try {
      const metrics = new Metrics({ version: '1' })
      const role = 'tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: m}}}]\n'
      const leadership = { leads: false, onChange: () => () => undefined }
      const operator = sandbox.run(await projectOf({ widget: role }), { metrics, leadership })
      const health = new OperatorHealth(operator, AWAKE)
      const checks = async () => health.ready().map(({ name, problem }) => `${name}: ${problem ?? 'ok'}`)
      await sandbox.widget('w')
      const ready = ['operator: ok', 'watch-ConfigMap: ok', 'watch-Widget.example.com: ok']
      await sandbox.until(checks, (seen) => seen.join() === ready.join())
      expect((await metrics.expose()).text).to.match(/^rolebook_leader 0$/m)
      expect(sandbox.writes).to.deep.equal([])
      expect(sandbox.events).to.deep.equal([])
    } finally {
      await sandbox.stop()
    }
  })
})

describe('a run that does not come to its end', () => {
  const role = 'tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: m}}}]\n'
  const watches = '- {group: example.com, version: v1, kind: Widget, role: widget, reconcilePeriod: 1h}\n'
  const other = '- {group: example.com, version: v1, kind: Gadget, role: widget}\n'
  for (const { name, next } of [
    { name: 'has changed', next: watches },
    { name: 'is not part of the project any more', next: other },
  ]) {
    it(`counts as the longest although its watch ${name}`, async () => {
      const sandbox = await OperatorSandbox.start({ workloads: false })
      const hangs = Promise.withResolvers<never>()
      const end = (): void => hangs.reject(new Error('it comes to its end'))
      try {
        let begun = false
        const apply: KubeClient['apply'] = (object, options) => {
          if (object.kind !== 'ConfigMap' || begun) return sandbox.client.apply(object, options)
          begun = true
          return hangs.promise
        }
        const client = clientWith(sandbox.client, { apply })
        const operator = sandbox.run(await projectOf({ widget: role }), { client })
        await sandbox.widget('w')
        await sandbox.until(async () => begun, Boolean)
        operator.replaceProject(await projectOf({ widget: role }, next))
        expect(operator.longestRun).to.be.greaterThan(0)
        end()
        await sandbox.until(async () => operator.longestRun === 0, Boolean)
      } finally {
        end()
        await sandbox.stop()
      }
    })
  }
})

describe('how an operator is', () => {
  const state = (given: Partial<WatchState>): WatchState => ({
    ...{ kind: 'Pod', live: false, isSynced: false, isMain: false, isNeeded: true, blindFor: 0 },
    ...given,
  })
  const cases: readonly { name: string; watches: readonly WatchState[]; problem: string | undefined }[] = [
    { name: 'a watch that is live', watches: [state({ live: true, isSynced: true })], problem: undefined },
    { name: 'a watch that was live', watches: [state({ isSynced: true })], problem: 'the watch is down' },
    {
      name: 'a kind of the project that was never seen',
      watches: [state({ isMain: true })],
      problem: 'its objects have not been seen yet',
    },
    { name: 'the first look of a role, for a moment', watches: [state({ blindFor: 30_000 })], problem: undefined },
    {
      name: 'the first look of a role that comes to nothing',
      watches: [state({ blindFor: 30_001 })],
      problem: 'its objects have not been seen yet',
    },
    {
      name: 'one of two watches of a kind',
      watches: [state({ live: true, isSynced: true }), state({ isSynced: true })],
      problem: 'the watch is down',
    },
    {
      name: 'one of two watches that the project does not need',
      watches: [state({ live: true, isSynced: true }), state({ isSynced: true, isNeeded: false })],
      problem: undefined,
    },
  ]
  for (const { name, watches, problem } of cases) {
    it(`says of ${name}: ${problem ?? 'ok'}`, () => {
      const operator = {
        isStarted: true,
        longestRun: 0,
        failing: [],
        reconciliationTimeout: 0,
        watches: () => watches.values() as never,
      }
      const [, check] = new OperatorHealth(operator, AWAKE).ready()
      expect(check).to.deep.equal({ name: 'watch-Pod', problem })
    })
  }

  it('is not ready before it starts, and not alive with a run that never ends or a starved event loop', () => {
    const operator = {
      isStarted: false,
      longestRun: 30 * 60_000 + 1,
      failing: [],
      reconciliationTimeout: 600_000,
      watches: () => [].values() as never,
    }
    const health = new OperatorHealth(operator, { isStarved: true })
    expect(health.ready()).to.deep.equal([{ name: 'operator', problem: 'it has not started yet' }])
    expect(health.live().every(({ problem }) => problem !== undefined)).to.equal(true)
  })
})
