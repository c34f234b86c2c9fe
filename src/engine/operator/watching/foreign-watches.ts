import type { Clock } from '../../../core/base/clock.ts'
import type { Subscription } from '../../reconcile/run/run-reads.ts'
import type { Subscriptions } from '../../reconcile/watch-entry.ts'
import type { Request } from '../../runtime/reconciler.ts'
import type { InformerCaches } from './informer-caches.ts'
import type { SubscriptionTable } from './subscription-table.ts'

export interface ForeignWatchesOptions {
  readonly subscriptions: SubscriptionTable
  readonly caches: Pick<InformerCaches, 'watchesForeign' | 'releaseForeign'>
  readonly clock: Clock
}

/** Milliseconds for which an unused watch stays, so that a name that is taken again and again costs one watch. */
const GRACE = 10_000

/**
 * Subscriptions that also release watches of foreign objects once they are unused. There may be as many as namespaces in which the name of a
 * child was taken.
 */
export class ForeignWatches implements Subscriptions {
  readonly #options: ForeignWatchesOptions
  #cancel: (() => void) | undefined

  constructor(options: ForeignWatchesOptions) {
    this.#options = options
  }

  add(request: Request, subscription: Subscription): void {
    this.#options.subscriptions.add(request, subscription)
  }

  keep(request: Request, kept: readonly Subscription[]): void {
    const { subscriptions, caches, clock } = this.#options
    subscriptions.keep(request, kept)
    if (caches.watchesForeign) this.#cancel ??= clock.schedule(GRACE, () => this.#release())
  }

  stop(): void {
    this.#cancel?.()
  }

  #release(): void {
    const { subscriptions, caches } = this.#options
    this.#cancel = undefined
    caches.releaseForeign(subscriptions.all())
  }
}
