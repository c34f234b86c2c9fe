import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { type LogFields, type Logger, nopLogger } from '../../../src/core/base/logger.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { RunHistory } from '../../../src/engine/operator/run-history.ts'
import type { Role } from '../../../src/engine/role/role.ts'
import { Metrics } from '../../../src/engine/runtime/metrics.ts'
import { Collector } from '../../../src/rolebook/dashboard/collector.ts'

const ROLE = { name: 'shop', tasks: [] } as unknown as Role
const child: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }

function shop(status: string): KubeObject {
  const conditions = [{ type: 'Ready', status, reason: 'Waiting' }]
  return { apiVersion: 'example.com/v1', kind: 'Shop', metadata: { name: 's', uid: 'u' }, status: { conditions } }
}

describe('Collector', () => {
  const seen = {
    resource: shop('False'),
    objects: [] as readonly KubeObject[],
    looks: 0,
    failure: undefined as Error | undefined,
  }
  const none = () => [].values()
  const operator = {
    resources: () => {
      seen.looks++
      if (seen.failure) throw seen.failure
      return [{ resource: seen.resource, role: ROLE }].values()
    },
    objectsOf: () => seen.objects,
    ...{ queues: none, watches: none, shards: none, hungRuns: () => [], failing: [], leads: true },
  }
  const clock = new FakeClock()
  const metrics = new Metrics({ version: '1' })
  const history = new RunHistory()
  const warnings: { readonly message: string; readonly fields: LogFields | undefined }[] = []
  const logger: Logger = { ...nopLogger, warn: (message, fields) => warnings.push({ message, fields }) }
  const common = { history, metrics, version: '1', instance: 'one', clock, logger }
  const collector = new Collector({ ...common, operator })

  /** The row after the next look that finds a change. */
  async function changed(change: () => void): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const unfollow = collector.follow(() => undefined)
    await clock.advance(1_000)
    change()
    const stop = collector.follow(() => seen.looks > 0 && resolve())
    await clock.advance(1_000)
    await promise
    stop()
    unfollow()
    const [row] = collector.table.since(0, 1).rows
    return `${row?.ready} ${row?.objects}`
  }

  it('does nothing without readers', async () => {
    await clock.advance(60_000)
    expect(seen.looks).to.equal(0)
  })

  const cases = [
    { name: 'sees a resource that changes', change: () => (seen.resource = shop('True')), row: 'True 0' },
    { name: 'sees an object that is made', change: () => (seen.objects = [child]), row: 'True 1' },
  ]
  for (const { name, change, row } of cases) it(name, async () => expect(await changed(change)).to.equal(row))

  it('rests when the last reader has gone', async () => {
    const { looks } = seen
    await clock.advance(60_000)
    expect(seen.looks).to.equal(looks)
  })

  it('rests when the last reader goes during a look', async () => {
    const { looks } = seen
    collector.follow(() => undefined)()
    await clock.advance(60_000)
    expect(seen.looks).to.equal(looks + 1)
  })

  it('looks once when the last reader goes during a look and another one comes', async () => {
    const { looks } = seen
    collector.follow(() => undefined)()
    const unfollow = collector.follow(() => undefined)
    await clock.advance(0)
    expect(seen.looks).to.equal(looks + 1)
    await clock.advance(1_000)
    expect(seen.looks).to.be.above(looks + 1)
    unfollow()
  })

  it('changes nothing while all stays the same', async () => {
    const { version } = collector.table
    const unfollow = collector.follow(() => undefined)
    await clock.advance(10_000)
    unfollow()
    expect(collector.table.version).to.equal(version)
  })

  it('says that it cannot look, and looks again after ten seconds', async () => {
    seen.failure = new Error('no cache')
    const unfollow = collector.follow(() => undefined)
    await clock.advance(0)
    const { looks } = seen
    const message = 'the dashboard cannot read the state of the operator'
    expect(warnings).to.deep.equal([{ message, fields: { error: 'no cache' } }])
    await clock.advance(9_999)
    expect(seen.looks).to.equal(looks)
    seen.failure = undefined
    await clock.advance(1)
    expect(seen.looks).to.equal(looks + 1)
    unfollow()
  })

  it('reads of the last run what keeps a resource that is being deleted', async () => {
    const request = { group: 'example.com', kind: 'Shop', namespace: '', name: 's' }
    const trace = {
      ...{ at: '', milliseconds: 1, uid: 'u', role: 'shop', woken: [], requests: {}, outcome: 'waiting' as const },
      ...{ list: 'finalize' as const, tasks: [{ name: 'Backup', outcome: 'waiting' as const, why: ['not yet'] }] },
    }
    const resource = shop('False')
    const metadata = { ...resource.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' }
    await changed(() => (seen.resource = { ...resource, metadata }))
    expect(collector.table.since(0, 1).rows[0]?.problems, 'before a run').to.deep.equal([])
    await changed(() =>
      history.record({ request, outcome: 'waiting', changed: false, wroteStatus: false, at: 0, trace }),
    )
    expect(collector.table.since(0, 1).rows[0]?.problems, 'after a run').to.deep.equal([
      { kind: 'deletion', message: 'The finalize task "Backup" waits: not yet' },
    ])
  })
})
