import type { KubeClient } from '../../../core/kube/client.ts'
import { withoutCopy } from '../../../core/kube/last-applied.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { evictOldest } from '../evict-oldest.ts'

const SECRET = { group: '', version: 'v1', kind: 'Secret' } as const

/** How many Secrets are remembered. */
const CAPACITY = 1_000

/**
 * Reads Secrets by name, and only if their version has changed. Caches hold only the metadata of Secrets, so that a role that reads one
 * Secret does not load all Secrets of the cluster into memory.
 */
export class SecretReader {
  readonly #client: KubeClient
  readonly #known = new Map<string, KubeObject>()

  constructor(client: KubeClient) {
    this.#client = client
  }

  /** The Secret with this metadata, or `undefined` if it is gone meanwhile. */
  async read({ metadata }: KubeObject, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { namespace = '', name = '', uid = '', resourceVersion } = metadata
    const known = this.#known.get(uid)
    if (known?.metadata.resourceVersion === resourceVersion) return known
    const live = await this.#client.get(SECRET, { namespace, name }, { signal })
    this.#known.delete(uid)
    // That annotation contains all data as well, and code that redacts does not look there.
    const secret = live && withoutCopy(live)
    if (secret?.metadata.uid) this.#remember(secret.metadata.uid, secret)
    return secret
  }

  #remember(uid: string, secret: KubeObject): void {
    evictOldest({ capacity: CAPACITY, known: this.#known }, (oldest) => this.#known.delete(oldest))
    this.#known.set(uid, secret)
  }
}
