import { ApiError } from '../../src/kube/api-error.ts'
import type { KubeClient } from '../../src/kube/client.ts'

/** Where a process dies around one of its writes. */
export const DEATHS = ['before it is sent', 'after it is stored, before the answer', 'after the answer'] as const
export type Death = (typeof DEATHS)[number]

/** A client of a process that dies at its n-th write: from then on, nothing it does reaches the server. */
export function mortal(
  client: KubeClient,
  lastWrite: number,
  death: Death,
): { client: KubeClient; isDead: () => boolean } {
  let writes = 0
  let dead = false
  const never = <T>(): Promise<T> => Promise.reject(new ApiError(0, 'NoAnswer', 'the process is dead'))
  const write = async <T>(send: () => Promise<T>): Promise<T> => {
    if (dead) return never()
    if (++writes < lastWrite) return send()
    if (death === 'before it is sent') {
      dead = true
      return never()
    }
    const answer = await send()
    dead = true
    return death === 'after the answer' ? answer : never()
  }
  const mortalClient: KubeClient = {
    get: (...args) => (dead ? never() : client.get(...args)),
    list: (...args) => (dead ? never() : client.list(...args)),
    watch: (...args) => client.watch(...args),
    create: (...args) => write(() => client.create(...args)),
    apply: (...args) => write(() => client.apply(...args)),
    patch: (...args) => write(() => client.patch(...args)),
    delete: (...args) => write(() => client.delete(...args)),
  }
  return { client: mortalClient, isDead: () => dead }
}
