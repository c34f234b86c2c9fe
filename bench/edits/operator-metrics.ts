import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 200
const ADDRESS = /metrics server.*(http:\/\/127\.0\.0\.1:\d+)/

/** What a running operator says of its queue. */
export class OperatorMetrics {
  readonly #url: string

  /** @throws Error when the log of the operator names no address */
  static namedIn(log: string): OperatorMetrics {
    const url = ADDRESS.exec(readFileSync(log, 'utf8'))?.[1]
    if (url === undefined) throw new Error(`cannot read metrics: ${log} names no address`)
    return new OperatorMetrics(url)
  }

  private constructor(url: string) {
    this.#url = url
  }

  /** Resolves once so many resources wait for a worker because all have to be looked at again. */
  async untilBacklog(isWanted: (resources: number) => boolean): Promise<void> {
    while (!isWanted(await this.#backlog())) await sleep(POLL_MS)
  }

  async #backlog(): Promise<number> {
    const text = await (await fetch(`${this.#url}/metrics`)).text()
    return Number(/^rolebook_queue_depth\{.*class="backlog".*\} (\d+)/m.exec(text)?.[1] ?? 0)
  }
}
