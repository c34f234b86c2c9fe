import { ApiError } from '../../src/core/kube/api-error.ts'
import type { KubeClient } from '../../src/core/kube/client.ts'

/** Where a process dies around one of its writes. */
export const DEATHS = ['before it is sent', 'after it is stored, before the answer', 'after the answer'] as const
export type Death = (typeof DEATHS)[number]

/**
 * A client of a process that dies at its n-th write: from then on, nothing it does reaches the server. `isCounted` says by the
 * name of the object which writes count; all by default.
 */
export function mortal(
  client: KubeClient,
  { lastWrite, death, isCounted = () => true }: MortalOptions,
): { client: KubeClient; isDead: () => boolean; died: Promise<void> } {
  let writes = 0
  let dead = false
  const { promise: died, resolve } = Promise.withResolvers<void>()
  const die = (): void => {
    dead = true
    resolve()
  }
  const never = <T>(): Promise<T> => Promise.reject(new ApiError(0, 'NoAnswer', 'the process is dead'))
  const write = async <T>(name: string | undefined, send: () => Promise<T>): Promise<T> => {
    if (dead) return never()
    if (!isCounted(name ?? '') || ++writes < lastWrite) return send()
    if (death === 'before it is sent') {
      die()
      return never()
    }
    const answer = await send()
    die()
    return death === 'after the answer' ? answer : never()
  }
  const mortalClient: KubeClient = {
    get: (...args) => (dead ? never() : client.get(...args)),
    list: (...args) => (dead ? never() : client.list(...args)),
    watch: (...args) => client.watch(...args),
    create: (object, options) => write(object.metadata.name, () => client.create(object, options)),
    apply: (object, options) => write(object.metadata.name, () => client.apply(object, options)),
    patch: (gvk, key, ...rest) => write(key.name, () => client.patch(gvk, key, ...rest)),
    delete: (gvk, key, ...rest) => write(key.name, () => client.delete(gvk, key, ...rest)),
  }
  return { client: mortalClient, isDead: () => dead, died }
}

export interface MortalOptions {
  readonly lastWrite: number
  readonly death: Death
  isCounted?(name: string): boolean
}
