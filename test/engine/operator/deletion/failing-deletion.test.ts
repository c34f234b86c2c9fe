import { expect } from 'chai'
import { type LogFields, type Logger, nopLogger } from '../../../../src/core/base/logger.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { RunReport } from '../../../../src/engine/reconcile/trace/run-trace.ts'
import { Metrics } from '../../../../src/engine/runtime/metrics.ts'
import { runLog } from '../../../../src/rolebook/cli/run-log.ts'
import { clientWith } from '../../../support/client-with.ts'
import { OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const WATCH = '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: {write: [other]}}\n'
const REQUEST = { group: 'example.com', kind: 'Widget', namespace: 'default', name: 'w' }
const DOWN = new ApiError(500, 'InternalError', 'failed calling webhook "guard": connection refused')
const FORBIDDEN = new ApiError(403, 'Forbidden', 'x cannot delete resource "configmaps" in API group ""')
const AWAY = new ApiError(503, 'ServiceUnavailable', 'the server is away')

/** What it ends in to remove the child of the Widget, and to write the status of the Widget. */
interface Faults {
  removal?: ApiError | undefined
  status?: ApiError | undefined
}

describe('a deletion that fails', () => {
  let sandbox: OperatorSandbox
  let faults: Faults

  beforeEach(async () => {
    faults = {}
    sandbox = await OperatorSandbox.start({ workloads: false })
    await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } })
  })
  afterEach(() => sandbox.stop())

  /** Runs the operator on a Widget with a child that the garbage collector cannot reach, and deletes the Widget. */
  async function deleteWidget(failing: Faults, onRun?: (report: RunReport) => void): Promise<Metrics> {
    const metrics = new Metrics({ version: '1', ofProcess: false })
    const { client } = sandbox
    const faulty = clientWith(client, {
      delete: async (gvk, key, options) => {
        if (gvk.kind === 'ConfigMap' && faults.removal) throw faults.removal
        return client.delete(gvk, key, options)
      },
      patch: async (gvk, key, patch, options) => {
        if (options.subresource === 'status' && faults.status) throw faults.status
        return client.patch(gvk, key, patch, options)
      },
    })
    const role =
      'tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "c-${spec.size}", namespace: other}}}]\n'
    const options = { client: faulty, metrics, ...(onRun && { onRun }) }
    sandbox.run(await projectOf({ widget: role }, WATCH), options)
    await sandbox.widget('w', { size: 'one' })
    await sandbox.ready('Ready')
    await sandbox.settled()
    sandbox.runs.length = 0
    faults = failing
    await sandbox.remove(WIDGET, 'w')
    return metrics
  }

  const failed = (count: number): Promise<unknown> =>
    sandbox.until(
      async () => sandbox.runs.filter(({ outcome }) => outcome === 'failed'),
      (runs) => runs.length >= count,
    )

  const gone = (): Promise<void> => sandbox.gone(WIDGET, 'w')

  it('is said in the status when it does not pass, in words that stay the same, and it comes to its end when it does', async () => {
    await deleteWidget({ removal: DOWN })
    const { status, message } = await sandbox.ready('Deleting')
    expect({ status, message }).to.deep.equal({ status: 'False', message: DOWN.message })
    expect((await sandbox.condition('Reconciling'))?.reason).to.equal('Deleting')
    const shown = sandbox.runs.map(({ outcome, wroteStatus }) => `${outcome} ${wroteStatus}`)
    expect(shown.slice(0, 3)).to.deep.equal(['failed false', 'failed false', 'failed true'])
    faults.removal = undefined
    await gone()
  })

  it('is said in the status when the children cannot be listed that show how it began', async () => {
    await deleteWidget({ removal: DOWN })
    await sandbox.ready('Deleting')
    await sandbox.halt()
    await sandbox.edit(WIDGET, 'w', { metadata: { annotations: { 'rolebook.dev/propagation-policy': null } } })
    const { client } = sandbox
    let isDown = true
    const faulty = clientWith(client, {
      list: async (gvk, options) => {
        if (isDown && gvk.kind === 'ConfigMap') throw FORBIDDEN
        return client.list(gvk, options)
      },
    })
    const role =
      'tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "c-${spec.size}", namespace: other}}}]\n'
    sandbox.run(await projectOf({ widget: role }, WATCH), { client: faulty })
    const ready = await sandbox.until(
      () => sandbox.condition('Ready'),
      (found) => found?.message !== DOWN.message,
    )
    expect([ready?.reason, ready?.message?.includes('configmaps')]).to.deep.equal(['Deleting', true])
    isDown = false
    await gone()
  })

  it('waits for a Pod that ends in its own time, and says so', async () => {
    const pod =
      '{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: other}, spec: {nodeName: node-a, containers: [{name: c, image: i}]}}'
    sandbox.run(await projectOf({ widget: `tasks: [{ensure: ${pod}}]\n` }, WATCH))
    await sandbox.widget('w')
    await sandbox.ready('NotReady')
    await sandbox.settled()
    await sandbox.remove(WIDGET, 'w')
    expect((await sandbox.ready('Deleting')).message).to.equal('Pod other/p is being deleted')
  })

  it('is reported with its reason: each time in the history and the metrics, once in the log', async () => {
    const lines: string[] = []
    const error = (message: string, fields?: LogFields): void => void lines.push(`${message} ${String(fields?.why)}`)
    const logger: Logger = { ...nopLogger, error, child: () => logger }
    const log = runLog(logger)
    const metrics = await deleteWidget({ removal: DOWN }, (report) => {
      sandbox.runs.push(report)
      log(report)
    })
    await failed(2)
    const runs = sandbox.operator?.history.of(REQUEST)?.runs.filter(({ outcome }) => outcome === 'failed') ?? []
    expect(runs.length).to.be.at.least(2)
    expect(runs[0]).to.include({ ready: `Deleting: ${DOWN.message}` })
    expect((await metrics.expose()).text).to.match(
      /rolebook_reconcile_total\{kind="Widget\.example\.com",outcome="failed"\} [2-9]/,
    )
    expect(lines).to.deep.equal([`task failed Deleting: ${DOWN.message}`])
  })

  for (const { name, removal, message } of [
    { name: 'that may pass', removal: DOWN, message: DOWN.message },
    { name: 'that needs a person', removal: FORBIDDEN, message: 'cannot delete configmaps in namespace "other"' },
  ]) {
    it(`is reported and tried again, also while the status cannot be written: a failure ${name}`, async () => {
      await deleteWidget({ removal, status: AWAY })
      await failed(4)
      expect(sandbox.runs.every(({ wroteStatus }) => !wroteStatus)).to.equal(true)
      for (const { ready } of sandbox.runs) expect(ready?.message).to.contain(message).and.to.not.contain(AWAY.message)
      faults.status = undefined
      await sandbox.ready('Deleting')
    })
  }
})
