import type { Clock } from '../../src/core/base/clock.ts'
import { FaultInjector } from '../../src/sandbox/apiserver/faults/fault-injector.ts'
import type { FaultAction } from '../../src/sandbox/apiserver/faults/fault-plan.ts'
import type { Reply, Silence } from '../../src/sandbox/apiserver/http/reply.ts'
import type { SeenRequest, StandingFault } from './fault-gate.ts'

/** What a fault can do besides spoiling its request. */
export interface World {
  readonly clock: Clock
  /** Version of the cluster at the beginning of the step before. */
  readonly formerVersion: string
  stand(fault: StandingFault): void
  /** The process dies, and another one starts a moment later. */
  kill(): void
  /** The process is asked to end, and another one starts when it has. */
  restart(): void
  /** It may not lead for so many milliseconds. */
  loseLease(milliseconds: number): void
  /** All connections of the engine end. */
  cut(): void
  /** The server forgets its history. */
  compact(): void
  /** The wall clock of the engine jumps. */
  jump(milliseconds: number): void
  /** The process is stopped for so long, and with it the world. */
  pause(milliseconds: number): void
  /** Another client writes the object of the request, and takes that back. */
  interfere(request: SeenRequest): Promise<void>
}

export interface Blow {
  readonly request: SeenRequest
  /** Has the server answer, perhaps to another URL. */
  serve(url?: string): Promise<Reply | Silence>
  readonly world: World
}

export interface FaultKind {
  readonly name: string
  /** Whether what the engine remembers is lost: the process ends, or may not lead any more. Defaults to false. */
  readonly endsTerm?: boolean | undefined
  /** Whether an informer believes what is not so until it asks again. Defaults to false. */
  readonly misleads?: boolean | undefined
  /** Which requests it can strike. */
  fits(request: SeenRequest): boolean
  strike(blow: Blow): Promise<Reply | Silence>
}

export const isAny = (): boolean => true
export const isWrite = ({ verb }: SeenRequest): boolean => ['create', 'update', 'patch', 'delete'].includes(verb)
export const isWatch = ({ verb }: SeenRequest): boolean => verb === 'watch'
export const isRead = ({ verb, resource }: SeenRequest): boolean => resource !== undefined && verb === 'get'
export const isList = ({ verb, streamsList }: SeenRequest): boolean => verb === 'list' || streamsList

/** A fault that `rolebook sandbox --faults` knows, too. */
export function acting(action: FaultAction): FaultKind['strike'] {
  return async ({ request: { method, url }, serve, world }) => {
    const [path = '', search = ''] = url.split('?', 2)
    const injector = new FaultInjector({ seed: 0, rules: [] }, world.clock)
    const request = { method, path, query: new URLSearchParams(search), userAgent: '' }
    return injector.answer(action, request, async () => (await serve()) as Reply)
  }
}
