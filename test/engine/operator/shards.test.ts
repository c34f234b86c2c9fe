import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { type Connection, connect } from '../../../src/core/kube-client/connect.ts'
import type { Operator } from '../../../src/engine/operator/operator.ts'
import { ShardElection } from '../../../src/engine/runtime/sharding/shard-election.ts'
import { shardOf } from '../../../src/engine/runtime/sharding/shard-of.ts'
import type { Intercept } from '../../../src/sandbox/apiserver/http/request-handler.ts'
import { long } from '../../support/long-tests.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../support/operator-sandbox.ts'
import { type RunningOperator, startOperator } from '../../support/running-operator.ts'
import { Held } from '../../support/switched-leadership.ts'

const ROLE = `
tasks:
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}" }, data: { value: "\${spec.value}" } }
`
const COUNT = 2
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']

/** A process that shares the work, with a clock of its own for its leases. */
interface Sharer {
  readonly name: string
  readonly clock: FakeClock
  readonly election: ShardElection
  readonly held: Held
  readonly operator: Operator
  end(): Promise<void>
}

describe('Operators that share the work', () => {
  /** Writes to ConfigMaps as the server got them: `one a`. */
  const log: string[] = []
  const intercept: Intercept = ({ phase, method, path, userAgent }) => {
    const name = /configmaps\/([a-f])$/.exec(path)?.[1]
    if (phase === 'before' && method !== 'GET' && name) log.push(`${userAgent.split(' ')[0]?.slice(9)} ${name}`)
    return undefined
  }
  let sandbox: OperatorSandbox
  const sharers: Sharer[] = []
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false, intercept, port: 0 })
    log.length = 0
  })
  afterEach(async () => {
    for (const sharer of sharers.splice(0)) await sharer.end()
    await sandbox.stop()
  })

  async function start(name: string, count = COUNT, watches?: string): Promise<Sharer> {
    const clock = new FakeClock()
    const userAgent = `rolebook/${name}`
    const connection: Connection = await connect({
      ...{ server: sandbox.access, userAgent, logger: nopLogger, clock: systemClock },
    })
    const held = new Held(connection.client)
    const lease = { namespace: 'default', name: 'rolebook' }
    const common = { client: connection.client, clock, logger: nopLogger, fieldManager: 'rolebook' }
    const election = new ShardElection({ ...common, lease, identity: name, count })
    const stop = new AbortController()
    const ended = election.start(stop.signal)
    const project = await projectOf({ widget: ROLE }, watches)
    const { shards } = election
    const running: RunningOperator = startOperator({ connection }, project, {
      ...{ shards, client: held.client, gracePeriod: 600_000 },
    })
    const end = async (): Promise<void> => {
      await running.stop()
      stop.abort()
      clock.fireNext()
      await ended
      await connection.close()
    }
    const sharer = { name, clock, election, held, operator: running.operator, end }
    sharers.push(sharer)
    return sharer
  }

  const heldBy = ({ election }: Sharer): readonly number[] =>
    election.shards.filter(({ leads }) => leads).map(({ index }) => index)

  /** Lets the time of all processes pass until the number of shards that each holds is as it is wanted. */
  const until = (...wanted: readonly number[]): Promise<unknown> =>
    sandbox.until(
      async () => {
        for (const { clock } of sharers) await clock.advance(500)
        return sharers.map((sharer) => heldBy(sharer).length)
      },
      (counts) => counts.join() === wanted.join(),
    )

  const edit = async (value: string): Promise<void> => {
    for (const name of NAMES) await sandbox.widget(name, { value })
  }
  const shows = async (value: string): Promise<void> => {
    for (const name of NAMES) {
      await sandbox.until(
        () => sandbox.get(CONFIG_MAP, name),
        (map) => JSON.stringify(map?.data) === JSON.stringify({ value }),
      )
    }
  }
  /** Who must have written what, by the shards that each of them holds. */
  const shares = (): readonly string[] =>
    NAMES.map((name) => {
      const shard = shardOf({ namespace: 'default', name }, COUNT)
      return `${sharers.find((sharer) => heldBy(sharer).includes(shard))?.name} ${name}`
    })

  long.it('work each on the resources of its own shards, which together are all', async () => {
    await start('one')
    await until(COUNT)
    await start('two')
    await until(1, 1)
    log.length = 0
    await edit('first')
    await shows('first')
    expect([...log].sort()).to.deep.equal([...shares()].sort())
    expect(new Set(log.map((line) => line.split(' ')[0])).size).to.equal(2)
    const counted = sharers.flatMap(({ operator }) => [...operator.shards()])
    expect(counted.filter(({ held, resources }) => !held && resources > 0)).to.deep.equal([])
    expect(counted.reduce((sum, { resources }) => sum + resources, 0)).to.equal(NAMES.length)
  })

  long.it(
    'take over the resources of one that dies once its leases are over, and what it was about to send never arrives',
    async () => {
      const one = await start('one')
      const two = await start('two')
      await until(1, 1)
      await edit('first')
      await shows('first')
      const holding = one.held.hold()
      await edit('second')
      await holding
      sharers.splice(sharers.indexOf(one), 1)
      await until(COUNT)
      await shows('second')
      log.length = 0
      one.clock.pass(60_000)
      one.held.release()
      await edit('third')
      await shows('third')
      expect(log.filter((line) => line.startsWith('one'))).to.deep.equal([])
      expect(heldBy(two)).to.have.length(COUNT)
      await one.end()
    },
  )

  long.it(
    'hand a shard to one that joins without waiting for its lease to end, and finish what runs before',
    async () => {
      const one = await start('one')
      await until(COUNT)
      await edit('first')
      await shows('first')
      const holding = one.held.hold()
      await edit('second')
      await holding
      const two = await start('two')
      await sandbox.until(
        async () => {
          for (const { clock } of sharers) await clock.advance(100)
          return one.election.members.length
        },
        (count) => count === 2,
      )
      // The work is held, so nothing is released.
      for (let round = 0; round < 20; round++) for (const { clock } of sharers) await clock.advance(100)
      expect(heldBy(two)).to.deep.equal([])
      one.held.release()
      await until(1, 1)
      await shows('second')
    },
  )

  long.it('count each resource in the shard that owns it, also one that has lost its role', async () => {
    const one = await start('one')
    await until(COUNT)
    await edit('first')
    await shows('first')
    const owned = Map.groupBy(NAMES, (name) => shardOf({ namespace: 'default', name }, COUNT))
    const counts = [0, 1].map((index) => ({ index, held: true, resources: owned.get(index)?.length }))
    expect([...one.operator.shards()]).to.deep.equal(counts)
    sharers.splice(sharers.indexOf(one), 1)
    await one.end()

    const selecting =
      '- {group: example.com, version: v1, kind: Widget, role: widget, selector: {matchLabels: {tier: one}}}\n'
    const two = await start('two', COUNT, selecting)
    const withoutRole = async (): Promise<number | undefined> => {
      await two.clock.advance(100)
      return two.operator.withoutRole().get('Widget.example.com')
    }
    await sandbox.until(withoutRole, (count) => count === NAMES.length)
    await sandbox.edit(WIDGET, 'a', { metadata: { labels: { tier: 'one' } } })
    await sandbox.until(withoutRole, (count) => count === NAMES.length - 1)
  })

  long.it('write nothing while the lease of the installation is held with another number of shards', async () => {
    const one = await start('one')
    await until(COUNT)
    const other = await start('other', COUNT + 1)
    for (let round = 0; round < 60; round++) for (const { clock } of sharers) await clock.advance(500)
    expect([heldBy(one).length, heldBy(other).length]).to.deep.equal([COUNT, 0])
    sharers.splice(sharers.indexOf(one), 1)
    await one.end()
    await until(COUNT + 1)
    await edit('first')
    await shows('first')
  })
})
