import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { type Logger, nopLogger } from '../../../src/core/base/logger.ts'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import type { OperatorOptions } from '../../../src/engine/operator/operator.ts'
import type { RunListener } from '../../../src/engine/reconcile/trace/run-trace.ts'
import { Metrics } from '../../../src/engine/runtime/metrics.ts'
import { OperatorHealth } from '../../../src/rolebook/cli/operator-health.ts'
import { clientWith } from '../../support/client-with.ts'
import { CONFIG_MAP, GADGET, OperatorSandbox, projectOf } from '../../support/operator-sandbox.ts'

const ROLE = `
tasks:
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}" }, data: { by: one } }
  - status: { a: b }
`
const GADGETS = '- {group: example.com, version: v1, kind: Gadget, role: gadget}\n'
const BOTH = `- {group: example.com, version: v1, kind: Widget, role: widget}\n${GADGETS}`

describe('A controller that a defect has ended', () => {
  let sandbox: OperatorSandbox
  let clock: FakeClock
  let metrics: Metrics
  let log: string[]
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    clock = new FakeClock()
    metrics = new Metrics({ version: '1' })
    log = []
  })
  afterEach(() => sandbox.stop())

  /** Neither the status of `w` nor the log about that failure can be written, `times` times: a defect that the engine has no answer to. */
  async function start(times: number, options: Partial<OperatorOptions> = {}, watches = BOTH) {
    let left = times
    const patch: KubeClient['patch'] = async (gvk, ...rest) => {
      if (gvk.kind === 'Widget' && left > 0) throw new TypeError('a defect')
      return sandbox.client.patch(gvk, ...rest)
    }
    const error = (message: string): void => {
      if (message.startsWith('cannot reconcile') && left-- > 0) throw new Error('the log is full')
      log.push(message)
    }
    const logger: Logger = { ...nopLogger, error, child: () => logger }
    const roles = { widget: ROLE, gadget: 'tasks:\n  - status: { a: b }\n' }
    const client = clientWith(sandbox.client, { patch })
    const operator = sandbox.run(await projectOf(roles, watches), { client, logger, metrics, clock, ...options })
    const health = new OperatorHealth(operator, { isStarved: false })
    return { operator, readiness: () => health.ready().find(({ name }) => name === 'operator')?.problem }
  }

  const failures = async (): Promise<string | undefined> =>
    (await metrics.expose()).text.split('\n').find((line) => line.startsWith('rolebook_controller_failures_total{'))

  it('is in the log, in a metric and in the readiness, and is started again with backoff', async () => {
    const { readiness } = await start(2)
    await sandbox.widget('w')
    await sandbox.until(
      async () => log.length,
      (count) => count === 1,
    )
    expect(log).to.deep.equal(['a controller has failed: nothing of its kind is reconciled until it is started again'])
    const problem = 'controllers have failed and are to be started again: Widget.example.com'
    expect([readiness(), await failures()]).to.deep.equal([
      problem,
      'rolebook_controller_failures_total{kind="Widget.example.com"} 1',
    ])
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' } })
    await sandbox.ready('Ready', { gvk: GADGET, name: 'g' })
    await clock.advance(1_000)
    await sandbox.until(
      async () => log.length,
      (count) => count === 2,
    )
    expect(await failures()).to.match(/ 2$/)
    await clock.advance(900)
    expect(readiness()).to.equal(problem)
    await clock.advance(1_100)
    await sandbox.ready('Ready')
    expect(readiness()).to.equal(undefined)
    expect((await sandbox.get(CONFIG_MAP, 'w'))?.data).to.deep.equal({ by: 'one' })
  })

  it('does not keep a reload from removing its kind, and what was made for it', async () => {
    const { operator } = await start(1, { allowTeardown: true })
    await sandbox.widget('w')
    await sandbox.until(async () => operator.failing.length, Boolean)
    expect(await sandbox.get(CONFIG_MAP, 'w')).to.not.equal(undefined)
    operator.replaceProject(await projectOf({ gadget: 'tasks:\n  - status: { a: b }\n' }, GADGETS))
    await sandbox.until(
      async () => {
        await clock.advance(1_000)
        return sandbox.get(CONFIG_MAP, 'w')
      },
      (found) => found === undefined,
    )
    expect(operator.failing).to.deep.equal([])
  })

  it('is started again for a kind that no entry names any more, until nothing of it is left', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.halt()
    let defects = 1
    const onRun: RunListener = ({ request }) => {
      if (request.kind === 'Widget' && defects-- > 0) throw new TypeError('a defect')
    }
    const { operator } = await start(1, { allowTeardown: true, onRun, client: sandbox.client }, GADGETS)
    await sandbox.until(
      async () => operator.failing,
      (kinds) => kinds.join() === 'Widget.example.com',
    )
    await sandbox.until(
      async () => {
        await clock.advance(1_000)
        return [await sandbox.get(CONFIG_MAP, 'w'), ...operator.failing]
      },
      (left) => left.every((one) => one === undefined),
    )
    expect(log).to.deep.equal(['a controller has failed: nothing of its kind is reconciled until it is started again'])
    expect(await failures()).to.equal('rolebook_controller_failures_total{kind="Widget.example.com"} 1')
    expect(await sandbox.condition('Ready')).to.include({ status: 'False', reason: 'Deleting' })
  })

  it('does not keep its kind from a reload', async () => {
    const { operator } = await start(1)
    await sandbox.widget('w')
    await sandbox.until(async () => operator.failing.length, Boolean)
    const roles = { widget: ROLE.replace('one', 'two'), gadget: 'tasks:\n  - status: { a: b }\n' }
    const confined = BOTH.replace('role: widget', 'role: widget, namespaces: [default]')
    operator.replaceProject(await projectOf(roles, confined))
    await sandbox.ready('Ready')
    expect((await sandbox.get(CONFIG_MAP, 'w'))?.data).to.deep.equal({ by: 'two' })
    expect(operator.failing).to.deep.equal([])
    await clock.advance(1_000)
    await sandbox.widget('late')
    await sandbox.ready('Ready', { name: 'late' })
    expect(log.length).to.equal(1)
  })
})
