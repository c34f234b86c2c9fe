import { sharedHelmRenderer } from '../../../src/rolebook/library/helm-renderer.ts'
import { Playground } from '../../../src/rolebook/playground/playground.ts'
import type {
  AnswerTo,
  ChangeAnswer,
  ClusterState,
  PlaygroundRequest,
  ProjectTexts,
  WorkerMessage,
  WriteView,
} from '../../../src/rolebook/playground/protocol.ts'
import { loadBuiltinSchemas } from '../../../src/sandbox/cluster/load-builtin-schemas.ts'
import { writeFiles } from '../../support/temporary-folder.ts'

/** The side of the page. */
export class Asker {
  readonly writes: WriteView[] = []
  /** Of each report of the cluster, the objects by their uid, and the number of the project that they are of. */
  readonly reports: { readonly revision: number; readonly uids: readonly string[] }[] = []
  readonly #playground: Playground
  readonly #answers = new Map<number, (message: WorkerMessage) => void>()
  /** Of the project that was asked for last. */
  revision = 0
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
        else if (message.type === 'state') this.#takeState(message)
        else this.#answers.get(message.id)?.(message)
        // As the page does, also at a write that comes after the state that it led to.
        if (this.#state && (message.type === 'writes' || message.type === 'state')) this.#onState(this.#state)
      },
    })
  }

  #takeState({ revision, state }: Extract<WorkerMessage, { readonly type: 'state' }>): void {
    this.#state = state
    this.reports.push({ revision, uids: state.objects.map(({ uid }) => uid) })
  }

  open(files: ProjectTexts): Promise<ChangeAnswer> {
    this.revision += 1
    return this.ask({ type: 'open', revision: this.revision, files })
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
