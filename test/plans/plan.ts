import { seededRandom } from '../../src/sandbox/apiserver/faults/rule-counter.ts'
import type { SeenRequest } from './fault-gate.ts'
import type { FaultKind } from './fault-kind.ts'
import { FAULT_KINDS, faultKind } from './fault-kinds.ts'

/** One or two faults in the life of one role. */
export interface Plan {
  readonly role: string
  readonly faults: readonly PlannedFault[]
}

export interface PlannedFault {
  readonly kind: FaultKind
  /** The request of the life, counted from 1, at which it strikes, or the first one after it that it fits. */
  readonly at: number
}

/** `memcached reset-after@17 http-429@31`: what repeats a plan. */
export function printPlan({ role, faults }: Plan): string {
  return [role, ...faults.map(({ kind, at }) => `${kind.name}@${at}`)].join(' ')
}

/** The inverse of `printPlan`. */
export function parsePlan(text: string): Plan {
  const [role = '', ...faults] = text.trim().split(/\s+/)
  return { role, faults: faults.map(parseFault) }
}

function parseFault(text: string): PlannedFault {
  const [, name = '', at = ''] = /^([\w-]+)@(\d+)$/.exec(text) ?? []
  return { kind: faultKind(name), at: Number(at) }
}

/** Every plan of one fault that strikes exactly where it says. */
export function singlePlans(role: string, requests: readonly SeenRequest[]): readonly Plan[] {
  return requests.flatMap((request) =>
    FAULT_KINDS.filter((kind) => kind.fits(request)).map((kind) => ({ role, faults: [{ kind, at: request.index }] })),
  )
}

/** One plan of each kind of fault, each in the life of another role, as far as there are as many. */
export function onePlanPerKind(
  requestsOf: ReadonlyMap<string, readonly SeenRequest[]>,
  { seed }: { readonly seed: number },
): readonly Plan[] {
  const random = seededRandom(seed)
  const roles = [...requestsOf.keys()]
  return FAULT_KINDS.map((kind, index) => {
    const role = roles[index % roles.length] as string
    const fitting = (requestsOf.get(role) ?? []).filter((request) => kind.fits(request))
    return { role, faults: [{ kind, at: fitting[Math.floor(random() * fitting.length)]?.index ?? 1 }] }
  })
}

/** How far behind the first fault the second one may be: most of what follows the first happens within. */
const REACH = 25

/**
 * So many plans of a role, the same for the same seed: as many single ones as there are, each once, in an order of chance;
 * of those that are left, and of each third plan, pairs.
 */
export function choosePlans(
  role: string,
  requests: readonly SeenRequest[],
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly Plan[] {
  const random = seededRandom(seed)
  const singles = shuffled(singlePlans(role, requests), random)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  return Array.from({ length: count }, (_, index): Plan => {
    const single = index % 3 === 2 ? undefined : singles.pop()
    if (single) return single
    const [first] = pick(singles.length > 0 ? singles : singlePlans(role, requests)).faults
    const second = { kind: pick(FAULT_KINDS), at: (first?.at ?? 1) + 1 + Math.floor(random() * REACH) }
    return { role, faults: first ? [first, second] : [second] }
  })
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items]
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[result[last], result[other]] = [result[other] as T, result[last] as T]
  }
  return result
}
