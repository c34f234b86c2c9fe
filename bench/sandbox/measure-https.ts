import { median, type Rate } from './measure-writes.ts'
import type { MeasuredServer, Sent } from './measured-server.ts'
import { KINDS } from './objects.ts'

const APPLY = 'application/apply-patch+yaml'
const ROUND = 2000
const ROUNDS = 3

export interface Compared {
  readonly what: string
  readonly ours: Rate
  /** Of the real server, in the same rounds. */
  readonly real?: Rate
}

/** Requests for 3 KB objects over HTTPS, 16 at a time; a round of the real server follows each of ours. */
export async function* measureHttps(ours: MeasuredServer, real?: MeasuredServer): AsyncGenerator<Compared> {
  for (const kind of ['ConfigMap', 'Deployment'] as const) {
    const { make, path } = KINDS[kind]
    const named = (round: number, n: number): string => `https-${round}-${n}`
    const requests: Readonly<Record<string, (round: number, n: number) => Sent>> = {
      creations: (round, n) => ({ method: 'POST', path, body: JSON.stringify(make(named(round, n))) }),
      updates: (round, n) => ({
        method: 'PUT',
        path: `${path}/${named(0, n)}`,
        body: JSON.stringify(make(named(0, n), round + 1)),
      }),
      'creations by apply': (round, n) => ({
        method: 'PATCH',
        path: `${path}/applied-${round}-${n}?fieldManager=bench`,
        body: JSON.stringify(make(`applied-${round}-${n}`)),
        type: APPLY,
      }),
      reads: (_round, n) => ({ method: 'GET', path: `${path}/${named(0, n)}` }),
    }
    for (const [what, requestOf] of Object.entries(requests)) {
      yield { what: `${kind}: ${what}`, ...(await inRounds(requestOf, { ours, real })) }
    }
  }
}

async function inRounds(
  requestOf: (round: number, n: number) => Sent,
  { ours, real }: { readonly ours: MeasuredServer; readonly real: MeasuredServer | undefined },
): Promise<Omit<Compared, 'what'>> {
  const rates: Record<'ours' | 'real', Rate[]> = { ours: [], real: [] }
  for (let round = 0; round < ROUNDS; round++) {
    const requests = Array.from({ length: ROUND }, (_, n) => requestOf(round, n))
    rates.ours.push(await ours.sendAll(requests))
    if (real) rates.real.push(await real.sendAll(requests))
  }
  // The first round warms up.
  return { ours: median(rates.ours.slice(1)), ...(real && { real: median(rates.real.slice(1)) }) }
}
