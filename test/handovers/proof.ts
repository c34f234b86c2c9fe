/**
 * Ends the leader of three processes of `rolebook run` 200 times on a real API server, in six ways in turn, and ends with code 1
 * when any of them has changed anything while another one held the lease.
 *
 * With `--shards`, four processes share the work instead: see `prove-shards.ts`.
 *
 *     npm run proof:handovers -- [--shards] [--handovers 200] [--lease 3000] [--renew 2000] [--retry 400] [--default-timings 6]
 */
import process, { argv, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { LEASE_TIMINGS, type LeaseTimings } from '../../src/engine/runtime/leader-election.ts'
import { ControlPlane } from '../control-plane/control-plane.ts'
import { builtProgram } from '../support/built-program.ts'
import { HandoverBench } from './handover-bench.ts'
import { ENDINGS, type Handover, handOver } from './handovers.ts'
import { proveShards } from './prove-shards.ts'
import { isClean, sortOut } from './under-way.ts'

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    shards: { type: 'boolean', default: false },
    handovers: { type: 'string', default: '200' },
    lease: { type: 'string', default: '3000' },
    renew: { type: 'string', default: '2000' },
    retry: { type: 'string', default: '400' },
    'default-timings': { type: 'string', default: '6' },
  },
})
const short: LeaseTimings = {
  leaseDuration: Number(values.lease),
  renewDeadline: Number(values.renew),
  retryPeriod: Number(values.retry),
}
// Built before there is a server, since the build stops everything else.
builtProgram()
const plane = await ControlPlane.start()
try {
  const count = Number(values.handovers)
  process.exitCode = (values.shards ? await proveShards(plane, short, count) : await proveLeader(count)) ? 0 : 1
} finally {
  await plane.stop()
}

async function proveLeader(count: number): Promise<boolean> {
  const isProven = await prove('handovers-short', short, count)
  const byDefault = Number(values['default-timings'])
  return (byDefault === 0 || (await prove('handovers-default', LEASE_TIMINGS, byDefault))) && isProven
}

async function prove(namespace: string, timings: LeaseTimings, count: number): Promise<boolean> {
  const bench = await HandoverBench.start(plane, namespace, { timings })
  try {
    await bench.begin()
    const done: Handover[] = []
    for (let nth = 0; nth < count; nth++) {
      done.push(await handOver(bench, nth))
      if (done.length % 10 === 0) stdout.write(`${done.length} handovers\n`)
    }
    await bench.settle()
    return report(bench, { timings, done, children: await bench.children() })
  } finally {
    await bench.stop()
  }
}

function report(
  { history }: HandoverBench,
  found: { timings: LeaseTimings; done: readonly Handover[]; children: readonly string[] },
): boolean {
  const { timings, done, children } = found
  const { leaseDuration, renewDeadline, retryPeriod } = timings
  stdout.write(`\nlease ${leaseDuration} ms, renew deadline ${renewDeadline} ms, retry period ${retryPeriod} ms\n`)
  for (const { name } of ENDINGS) {
    const those = done.filter(({ ending }) => ending === name)
    const lease = those.map(({ toLease }) => toLease)
    const write = those.map(({ toWrite }) => toWrite)
    stdout.write(`  ${those.length} x ${name}: lease after ${spread(lease)}, first write after ${spread(write)}\n`)
  }
  const unwanted = sortOut({ stale: history.stale(), late: history.late() }, done)
  const { stale, late, underWay, mostUnderWay } = unwanted
  for (const { by, what, version } of stale) stdout.write(`  STALE: ${by} ${what} (version ${version})\n`)
  for (const { by, what, version } of underWay) stdout.write(`  UNDER WAY: ${by} ${what} (version ${version})\n`)
  for (const { by, what, arrivedAt, holder } of late) {
    const when = holder
      ? `${Math.round(arrivedAt - holder.at)} ms after ${holder.to} held the lease`
      : 'before any process led'
    stdout.write(`  LATE: ${by} ${what}, ${when}\n`)
  }
  const bound = leaseDuration + retryPeriod
  const later = done.filter(({ toLease }) => toLease > bound)
  stdout.write(
    `${done.length} handovers, ${history.transitions.length} holders of the lease, ${history.writes.length} writes (${history.refused} refused), ` +
      `${children.length} children; ${later.length} times later than lease and retry period (${bound} ms); ` +
      `${stale.length} stale writes, ${late.length} sent after another one held the lease, ` +
      `${underWay.length} under way when the process was stopped (of at most ${mostUnderWay}: docs/leadership.md)\n`,
  )
  return isClean(unwanted)
}

function spread(milliseconds: readonly number[]): string {
  const sorted = [...milliseconds].sort((left, right) => left - right)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  return `${Math.round(median)} ms (median; at most ${Math.round(sorted.at(-1) ?? 0)} ms)`
}
