import type { KubeClient, WatchEvent } from '../../src/core/kube/client.ts'
import { clientWith } from './client-with.ts'

/** A client whose watches of one kind deliver no event between `hold` and `letGo`. */
export class HeldWatch {
  readonly client: KubeClient
  #gate = Promise.withResolvers<void>()

  constructor(client: KubeClient, kind: string) {
    this.#gate.resolve()
    this.client = clientWith(client, {
      watch: (gvk, options) => {
        const events = client.watch(gvk, options)
        return gvk.kind === kind ? this.#held(events) : events
      },
    })
  }

  hold(): void {
    this.#gate = Promise.withResolvers()
  }

  letGo(): void {
    this.#gate.resolve()
  }

  async *#held(events: AsyncIterable<WatchEvent>): AsyncGenerator<WatchEvent> {
    for await (const event of events) {
      await this.#gate.promise
      yield event
    }
  }
}
