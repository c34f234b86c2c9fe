import type { Clock } from '../../core/base/clock.ts'
import type { Logger } from '../../core/base/logger.ts'
import type { AdminRoute } from '../../engine/runtime/admin-route.ts'
import { AdminServer } from '../../engine/runtime/admin-server.ts'
import type { Runnable } from '../../engine/runtime/runnable.ts'
import { DASHBOARD_PATH } from '../dashboard/dashboard-routes.ts'

/** A dashboard for this machine alone. It has its address before there is an operator to show. */
export class LocalDashboard {
  readonly #routes: AdminRoute[] = []
  readonly #server: AdminServer

  constructor({ clock, logger }: { readonly clock: Clock; readonly logger: Logger }) {
    const address = { host: '127.0.0.1', port: 0 }
    this.#server = new AdminServer({ name: 'dashboard', address, routes: this.#routes, clock, logger })
  }

  /** Starts to listen. Resolves to where the page is. @throws CodedError `CannotListen` */
  async listen(): Promise<string> {
    await this.#server.listen()
    return `${this.#server.url}${DASHBOARD_PATH}`
  }

  /** Shows an operator from now on. What is returned ends with the operator. */
  show(routes: readonly AdminRoute[]): Runnable {
    this.#routes.push(...routes)
    return this.#server
  }

  /** Stops it, even if it never showed anything. */
  close(): Promise<void> {
    return this.#server.close()
  }
}
