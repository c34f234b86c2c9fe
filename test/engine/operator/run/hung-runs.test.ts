import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { type LogFields, type Logger, nopLogger } from '../../../../src/core/base/logger.ts'
import type { KubeClient } from '../../../../src/core/kube/client.ts'
import { Metrics } from '../../../../src/engine/runtime/metrics.ts'
import { clientWith } from '../../../support/client-with.ts'
import { long } from '../../../support/long-tests.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const EVENT = { group: 'events.k8s.io', version: 'v1', kind: 'Event' }
const ROLE = `
tasks:
  - name: settings
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}" }, data: { size: "s\${spec.size}" } }
`
/** One worker: a run that keeps it would hold up all others. */
const WATCHES =
  '- {group: example.com, version: v1, kind: Widget, role: widget, namespaces: [default], maxConcurrentReconciles: 1}\n'
const TIMEOUT = 600_000
const GRACE = 30_000

interface StartOptions {
  readonly role?: string
  readonly heedsSignal?: boolean
  /** Whether the resource is deleted before anything hangs. */
  readonly isDeleted?: boolean
}

/** A client whose first write of the ConfigMap `w` is answered when `release` is called, or its signal aborts. */
function withHangingWrite(client: KubeClient, { heedsSignal = false } = {}) {
  const gate = Promise.withResolvers<void>()
  const sizes: string[] = []
  const apply: KubeClient['apply'] = async (object, options) => {
    if (object.kind !== 'ConfigMap' || object.metadata.name !== 'w') return client.apply(object, options)
    const { signal } = options
    sizes.push((object.data as { size: string }).size)
    if (heedsSignal) signal?.addEventListener('abort', () => gate.reject(signal.reason), { once: true })
    if (sizes.length === 1) await gate.promise
    return client.apply(object, options)
  }
  return { client: clientWith(client, { apply }), sizes, release: () => gate.resolve() }
}

describe('A run that hangs', () => {
  let sandbox: OperatorSandbox
  let clock: FakeClock
  let metrics: Metrics
  let log: string[]
  let release: () => void
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    clock = new FakeClock()
    metrics = new Metrics({ version: '1' })
    log = []
    release = () => undefined
  })
  afterEach(async () => {
    release()
    await sandbox.stop()
  })

  async function start({ role = ROLE, isDeleted = false, heedsSignal = false }: StartOptions = {}) {
    const hanging = withHangingWrite(sandbox.client, { heedsSignal })
    release = hanging.release
    const write = (message: string, fields: LogFields = {}): void => void log.push(`${String(fields.name)}: ${message}`)
    const logger: Logger = { ...nopLogger, warn: write, error: write, info: write, child: () => logger }
    const operator = sandbox.run(await projectOf({ widget: role }, WATCHES), {
      ...{ client: hanging.client, clock, metrics, logger },
    })
    await sandbox.widget('w', { size: 1 })
    if (isDeleted) await sandbox.ready('Ready')
    if (isDeleted) await sandbox.remove(WIDGET, 'w')
    await sandbox.until(async () => hanging.sizes.length, Boolean)
    return { operator, sizes: hanging.sizes }
  }

  const count = async (metric: string): Promise<string | undefined> =>
    (await metrics.expose()).text.split('\n').find((line) => line.startsWith(`${metric}{kind="Widget.example.com"`))

  /** Lets time pass until something has come about. */
  const passing = async <T>(look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> =>
    sandbox.until(async () => {
      await clock.advance(100)
      return look()
    }, holds)

  const sizeOf = async (name: string): Promise<unknown> => {
    const made = await sandbox.get(CONFIG_MAP, name)
    return (made?.data as { size: string } | undefined)?.size
  }

  it('is aborted at its deadline, which its condition, an event, a metric and the log say, and tried again', async () => {
    const { sizes } = await start({ heedsSignal: true })
    await clock.advance(TIMEOUT - 1)
    expect(await sandbox.condition('Ready')).to.equal(undefined)
    await clock.advance(1)
    const { status, message } = await sandbox.ready('Failed')
    expect([status, message]).to.deep.equal([
      'False',
      'task "settings": cannot end the run within 600 s: it was aborted and is tried again (see what the task waits for, or set a longer --reconciliation-timeout)',
    ])
    expect(log).to.deep.equal([
      'w: cannot reconcile: the run has reached its deadline and was aborted; it is tried again',
    ])
    expect(await count('rolebook_reconcile_timeouts_total')).to.match(/ 1$/)
    const failed = sandbox.runs.find(({ outcome }) => outcome === 'failed')
    expect(failed?.trace?.tasks).to.deep.include.members([
      { name: 'settings', outcome: 'failed', why: ['Failed: cannot end the run within 600 s'] },
    ])
    await passing(
      () => sandbox.condition('Ready'),
      (ready) => ready?.status === 'True',
    )
    expect(sizes).to.deep.equal(['s1', 's1'])
    const events = await sandbox.client.list(EVENT, { namespace: 'default' })
    expect(events.items.map(({ reason, type }) => [type, reason])).to.deep.include(['Warning', 'Failed'])
  })

  it('is named by the item of the loop at which it hangs', async () => {
    await start({ heedsSignal: true, role: ROLE.replace('    ensure:', '    loop: [one]\n    ensure:') })
    await clock.advance(TIMEOUT)
    const { message } = await sandbox.ready('Failed')
    expect(message).to.match(/^task "settings \[0\]": cannot end the run within 600 s/)
  })

  it('is said to hold up the deletion where the tasks of `finalize` hang', async () => {
    const finalize = ROLE.replace('tasks:', 'finalize:').replace('settings', 'backup')
    await start({ heedsSignal: true, role: `tasks:\n  - status: { seen: true }\n${finalize}`, isDeleted: true })
    await clock.advance(TIMEOUT)
    const { message } = await sandbox.ready('Deleting')
    expect(message).to.match(/^task "backup": cannot end the run within 600 s/)
    await passing(
      () => sandbox.get(WIDGET, 'w'),
      (left) => left === undefined,
    )
  })

  it('gives its worker to other resources when it goes on all the same, and its own resource waits', async () => {
    const { operator, sizes } = await start()
    await sandbox.widget('other', { size: 7 })
    await clock.advance(TIMEOUT)
    expect(await sizeOf('other')).to.equal(undefined)
    await clock.advance(GRACE)
    await passing(
      () => sizeOf('other'),
      (size) => size === 's7',
    )
    const { message } = await sandbox.ready('Failed')
    expect(message).to.include('it continues although it was aborted, so the resource waits')
    expect(log).to.deep.include(
      'w: a run continues although it was aborted: its resource waits for its end (restart the operator if it does not end)',
    )
    expect(await count('rolebook_hung_runs')).to.match(/ 1$/)
    expect(operator.longestRun).to.be.at.least(TIMEOUT + GRACE)
    await sandbox.widget('w', { size: 2 })
    await sandbox.widget('third', { size: 8 })
    await passing(
      () => sizeOf('third'),
      (size) => size === 's8',
    )
    expect(sizes).to.deep.equal(['s1'])
    release()
    await passing(
      () => sizeOf('w'),
      (size) => size === 's2',
    )
    expect(sizes).to.deep.equal(['s1', 's2'])
    expect(await count('rolebook_hung_runs')).to.equal(undefined)
    expect(log.at(-1)).to.equal('w: a run that continued after its abort has ended')
  })

  long.it(
    'holds up a reload no longer than its grace, and its resource is run by the new role only after it',
    async () => {
      const { operator, sizes } = await start()
      const next = WATCHES.replace(', namespaces: [default]', '')
      operator.replaceProject(await projectOf({ widget: ROLE.replace('"s$', '"new s$') }, next))
      await sandbox.widget('other', { size: 7 })
      await passing(
        () => sizeOf('other'),
        (size) => size === 'new s7',
      )
      expect([clock.monotonic() >= GRACE, operator.longestRun >= GRACE]).to.deep.equal([true, true])
      expect(log.join('\n')).to.match(/^w: a run continues although it was aborted/m)
      await sandbox.widget('third', { size: 8 })
      await passing(
        () => sizeOf('third'),
        (size) => size === 'new s8',
      )
      expect(sizes).to.deep.equal(['s1'])
      release()
      await passing(
        () => sizeOf('w'),
        (size) => size === 'new s1',
      )
      expect(sizes).to.deep.equal(['s1', 'new s1'])
    },
  )

  it('does not keep the operator from stopping', async () => {
    await start()
    const halted = sandbox.halt()
    await clock.advance(GRACE)
    await halted
    expect((await sandbox.get(WIDGET, 'w'))?.spec).to.deep.equal({ size: 1 })
  })
})
