/**
 * Lets 200 and more hostile expressions meet 20 documents each in a real operator process on a real control plane, beside 100
 * good resources, and ends with code 1 when the process dies, a lease is renewed late, a prototype is polluted, an attack ends
 * in anything but a typed condition, or the good resources take more than 1.2 times as long as beside harmless ones.
 *
 *     npm run proof:attacks -- --kubeconfig <path> [--attacks 1000] [--documents 20] [--good 100] [--rounds 5]
 */
import process, { argv, env, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { runAttacks } from './attack-run.ts'
import { ATTACKS } from './vectors.ts'

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    kubeconfig: { type: 'string', default: env.KUBECONFIG ?? '' },
    attacks: { type: 'string', default: '1000' },
    documents: { type: 'string', default: '20' },
    good: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '5' },
  },
})
/** The lease is given up when it was not renewed for so long. */
const RENEW_DEADLINE_MS = 10_000
const report = await runAttacks({
  kubeconfig: values.kubeconfig,
  attacks: ATTACKS.slice(0, Number(values.attacks)),
  documents: Number(values.documents),
  good: Number(values.good),
  rounds: Number(values.rounds),
  onProgress: (line) => stdout.write(`${line}\n`),
})
const { calm, attacked, ends, untyped, samePid, polluted, longestRenewal, renewals } = report
const ratio = median(attacked) / median(calm)
stdout.write(
  `${report.attacks} attacks on ${values.documents} documents, ${report.strikes} strikes; ${report.refused} more are refused before anything runs\n`,
)
stdout.write(`ends      ${[...ends].map(([reason, count]) => `${reason}: ${count}`).join(', ')}\n`)
for (const line of untyped.slice(0, 10)) stdout.write(`UNTYPED   ${line.slice(0, 400)}\n`)
stdout.write(
  `process   ${samePid ? 'the same all along' : 'DIED'}, prototypes ${polluted ? 'POLLUTED' : 'as they were'}\n`,
)
stdout.write(`lease     ${renewals} renewals seen, the longest time between two ${longestRenewal} ms\n`)
stdout.write(
  `others    ready after ${Math.round(median(attacked))} ms beside attackers, ${Math.round(median(calm))} ms beside harmless ones: ratio ${ratio.toFixed(2)}\n`,
)
const isFine = samePid && !polluted && untyped.length === 0 && longestRenewal < RENEW_DEADLINE_MS && ratio <= 1.2
process.exitCode = isFine ? 0 : 1

function median(times: readonly number[]): number {
  return times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0
}
