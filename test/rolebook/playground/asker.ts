import { sharedHelmRenderer } from '../../../src/rolebook/library/helm-renderer.ts'
import { Playground } from '../../../src/rolebook/playground/playground.ts'
import type {
  AnswerTo,
  ClusterState,
  PlaygroundRequest,
  WorkerMessage,
  WriteView,
} from '../../../src/rolebook/playground/protocol.ts'
import { loadBuiltinSchemas } from '../../../src/sandbox/cluster/load-builtin-schemas.ts'
import { writeFiles } from '../../support/temporary-folder.ts'

/** The side of the page. */
export class Asker {
  readonly writes: WriteView[] = []
  readonly #playground: Playground
  readonly #answers = new Map<number, (message: WorkerMessage) => void>()
  #last = 0
  #state: ClusterState | undefined
  #onState = (_state: ClusterState): void => undefined

  constructor(folder: string) {
    const tools = { folder, schemas: loadBuiltinSchemas(), charts: sharedHelmRenderer() }
    this.#playground = new Playground({
      place: async (files) => {
        writeFiles(folder, files)
        return tools
      },
      send: (message) => {
        if (message.type === 'writes') this.writes.push(...message.writes)
        else if (message.type === 'state') this.#state = message.state
        else if (message.type !== 'ready') this.#answers.get(message.id)?.(message)
        // As the page does, also at a write that comes after the state that it led to.
        if (this.#state && (message.type === 'writes' || message.type === 'state')) this.#onState(this.#state)
      },
    })
  }

  async ask<Request extends PlaygroundRequest>(request: Request): Promise<AnswerTo<Request['type']>> {
    this.#last += 1
    const answered = Promise.withResolvers<WorkerMessage>()
    this.#answers.set(this.#last, answered.resolve)
    await this.#playground.handle({ id: this.#last, request })
    const message = await answered.promise
    if (message.type === 'refusal') throw new Error(message.message)
    return (message as { readonly answer: AnswerTo<Request['type']> }).answer
  }

  /** Resolves with the first state that is so. */
  until(isSo: (state: ClusterState) => boolean): Promise<ClusterState> {
    return new Promise((resolve) => {
      this.#onState = (state) => {
        if (isSo(state)) resolve(state)
      }
    })
  }

  stop(): Promise<void> {
    return this.#playground.stop()
  }
}
