import type { KubeClient } from '../kube/client.ts'
import { withoutCopy } from '../kube/last-applied.ts'
import type { KubeObject } from '../kube/object.ts'
import { evictOldest } from './evict-oldest.ts'

const SECRET = { group: '', version: 'v1', kind: 'Secret' } as const

/** How many Secrets are remembered. */
const CAPACITY = 1_000

/**
 * Reads Secrets by name, and only when their version has changed: caches hold nothing of them but metadata, so that one
 * role's Secret does not bring the others of a cluster into memory.
 */
export class SecretReader {
  readonly #client: KubeClient
  readonly #known = new Map<string, KubeObject>()

  constructor(client: KubeClient) {
    this.#client = client
  }

  /** The Secret whose metadata this is, or `undefined` when it has gone meanwhile. */
  async read({ metadata }: KubeObject, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { namespace = '', name = '', uid = '', resourceVersion } = metadata
    const known = this.#known.get(uid)
    if (known?.metadata.resourceVersion === resourceVersion) return known
    const live = await this.#client.get(SECRET, { namespace, name }, { signal })
    this.#known.delete(uid)
    // In that annotation stands all data as well, where nobody looks for a secret.
    const secret = live && withoutCopy(live)
    if (secret?.metadata.uid) this.#remember(secret.metadata.uid, secret)
    return secret
  }

  #remember(uid: string, secret: KubeObject): void {
    evictOldest({ capacity: CAPACITY, known: this.#known }, (oldest) => this.#known.delete(oldest))
    this.#known.set(uid, secret)
  }
}
