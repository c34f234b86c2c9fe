import type { Clock } from '../../../core/base/clock.ts'
import { expired } from '../api-status.ts'
import { errorReply, jsonReply, type Reply, type Silence } from '../http/reply.ts'
import type { FaultAction, FaultPlan, FaultReply } from './fault-plan.ts'
import { type FaultRequest, RuleCounter, seededRandom } from './rule-counter.ts'
import { faultyStream } from './watch-faults.ts'

/** Makes requests go wrong as a plan says, which may be exchanged while the server runs. */
export class FaultInjector {
  readonly #clock: Clock
  #rules: readonly { readonly counter: RuleCounter; readonly action: FaultAction }[] = []

  constructor(plan: FaultPlan, clock: Clock) {
    this.#clock = clock
    this.replacePlan(plan)
  }

  /** Counting begins anew. */
  replacePlan({ seed, rules }: FaultPlan): void {
    const random = seededRandom(seed)
    this.#rules = rules.map((rule) => ({ counter: new RuleCounter(rule.when, random), action: rule.do }))
  }

  /** What is to happen to a request; `undefined`: nothing. Every rule counts it. */
  choose(request: FaultRequest): FaultAction | undefined {
    return this.#rules.filter(({ counter }) => counter.fires(request))[0]?.action
  }

  /** Serves a request, or not, as an action says. */
  async answer(action: FaultAction, request: FaultRequest, serve: () => Promise<Reply>): Promise<Reply | Silence> {
    if (action.latency !== undefined) await this.#clock.sleep(action.latency)
    if (action.drop === 'before') return 'drop'
    if (action.stall === 'before') return 'stall'
    if (action.reply) return madeReply(action.reply)
    if (action.expire && !request.query.has('watch'))
      return errorReply(expired('The provided continue parameter is too old.'))
    const reply = await serve()
    if (action.drop === 'after') return 'drop'
    return this.#spoil(action, reply)
  }

  #spoil({ truncate, stall, watch, expire }: FaultAction, reply: Reply): Reply {
    if ('stream' in reply) {
      const fault = expire ? { expireAfter: 0 } : watch
      return fault ? { ...reply, stream: faultyStream(reply.stream, fault, this.#clock) } : reply
    }
    if (truncate !== undefined) return { ...reply, cut: { bytes: truncate, rest: 'close' } }
    return typeof stall === 'number' ? { ...reply, cut: { bytes: stall, rest: 'stall' } } : reply
  }
}

function madeReply({ code, body, retryAfter }: FaultReply): Reply {
  const reply = jsonReply(body, code)
  return retryAfter === undefined ? reply : { ...reply, headers: { 'Retry-After': String(retryAfter) } }
}
