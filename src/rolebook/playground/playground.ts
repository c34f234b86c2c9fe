import { systemClock } from '../../core/base/clock.ts'
import { explain } from '../../core/base/coded-error.ts'
import { gvkOf } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { printBody } from '../../core/yaml/print-body.ts'
import { SourceFile } from '../../core/yaml/source-file.ts'
import { parseManifests } from '../config/parse-manifests.ts'
import { Assistant } from './assistant.ts'
import { openFolder, type ProjectTools, runTests } from './project-folder.ts'
import type {
  Answers,
  AnswerTo,
  ChangeAnswer,
  ObjectName,
  PlaygroundRequest,
  ProjectTexts,
  RequestMessage,
  WorkerMessage,
} from './protocol.ts'
import { Session } from './session.ts'

export interface PlaygroundOptions {
  /** Waits for what a project needs, puts its files into the folder, and says with what it is loaded. */
  readonly place: (files: ProjectTexts) => Promise<ProjectTools>
  readonly send: (message: WorkerMessage) => void
}

type Handlers = {
  readonly [Type in PlaygroundRequest['type']]: (
    request: Extract<PlaygroundRequest, { readonly type: Type }>,
  ) => Promise<AnswerTo<Type>>
}

/** Milliseconds between two checks whether there is something to report to the page. */
const LOOK_EVERY = 80
const AT_ONCE: ReadonlySet<PlaygroundRequest['type']> = new Set(['complete', 'hover', 'define', 'name'])
const EDITOR = 'kubectl-edit'
const SCALER = 'kubectl-scale'

/** Does what the page asks for, one request after the other, and reports to the page what happens in the cluster. */
export class Playground {
  readonly #options: PlaygroundOptions
  #session: Session | undefined
  /** Of the project that was opened last. */
  #revision = 0
  #tools: ProjectTools | undefined
  #assistant: Assistant | undefined
  #complaints: string[] = []
  #turn: Promise<void> = Promise.resolve()
  #cancel = (): void => undefined

  constructor(options: PlaygroundOptions) {
    this.#options = options
    this.#look()
  }

  async stop(): Promise<void> {
    this.#cancel()
    await this.#turn
    await this.#session?.stop()
  }

  /** Never rejects: what cannot be done is answered with the reason. */
  handle(message: RequestMessage): Promise<void> {
    // A person who types must not wait for running tests.
    if (AT_ONCE.has(message.request.type)) return this.#answer(message)
    this.#turn = this.#turn.then(() => this.#answer(message))
    return this.#turn
  }

  async #answer({ id, request }: RequestMessage): Promise<void> {
    const { send } = this.#options
    try {
      const handler = this.#handlers[request.type] as (request: PlaygroundRequest) => Promise<Answers[keyof Answers]>
      const answer = await handler(request)
      this.#report()
      send({ type: 'answer', id, answer })
    } catch (error) {
      send({ type: 'refusal', id, message: explain(error) })
    }
  }

  readonly #handlers: Handlers = {
    open: ({ files, revision }) => {
      this.#revision = revision
      return this.#open(files)
    },
    change: ({ files }) => this.#change(files),
    apply: async ({ text }) => {
      for (const object of objectsIn(text)) await this.#running.cluster.apply(object)
      return null
    },
    get: async ({ object }) => printBody(withoutManagers(this.#running.get(object)) as never),
    edit: async ({ text }) => {
      const [object] = objectsIn(text)
      if (object) this.#running.cluster.objects.update(object, EDITOR)
      return null
    },
    delete: async ({ object }) => {
      await this.#running.cluster.remove(manifestOf(object))
      return null
    },
    scale: async ({ object, replicas }) => {
      const { apiVersion, kind, namespace, name } = object
      const patch = { type: 'merge', body: { spec: { replicas } } } as const
      const options = { fieldManager: SCALER, subresource: 'scale' } as const
      const { client } = this.#running.cluster.connection
      await client.patch(gvkOf({ apiVersion, kind }), { namespace, name }, patch, options)
      return null
    },
    advance: async ({ milliseconds }) => {
      await this.#running.clock.advance(milliseconds)
      this.#report(true)
      return null
    },
    runClock: async ({ isRunning }) => {
      await this.#running.clock.setRunning(isRunning)
      this.#report(true)
      return null
    },
    connect: async ({ isConnected }) => {
      this.#running.connectOperator(isConnected)
      this.#report(true)
      return null
    },
    details: async ({ uid }) => (await this.#running.details(uid)) ?? null,
    test: async () => {
      const tools = this.#tools as ProjectTools
      const { project } = await openFolder(tools)
      if (!project) throw new Error('cannot run the tests: the project has errors')
      return runTests(project, tools)
    },
    complete: async ({ place }) => {
      if (!this.#assistant) return { suggestions: [], start: place.offset, end: place.offset }
      return this.#assistant.complete(place)
    },
    hover: async ({ place }) => (await this.#assistant?.hover(place)) ?? null,
    define: async ({ place }) => (await this.#assistant?.define(place)) ?? [],
    name: async ({ place }) => (await this.#assistant?.name(place)) ?? null,
    rename: async ({ place, name }) => (await this.#assistant?.rename(place, name)) ?? [],
  }

  async #open(files: ProjectTexts): Promise<ChangeAnswer> {
    await this.#session?.stop()
    this.#session = undefined
    this.#tools = await this.#options.place(files)
    this.#assistant = new Assistant(this.#tools)
    const { project, diagnostics } = await openFolder(this.#tools)
    if (!project) return { isUsed: false, diagnostics }
    const { charts, folder } = this.#tools
    const complain = (message: string): void => void this.#complaints.push(message.replaceAll(`${folder}/`, ''))
    this.#session = await Session.start({ project, charts, complain, revision: this.#revision })
    return { isUsed: true, diagnostics, ...this.#takeRefusal() }
  }

  async #change(files: ProjectTexts): Promise<ChangeAnswer> {
    if (!this.#session) return this.#open(files)
    this.#tools = await this.#options.place(files)
    this.#assistant?.forgetFiles()
    const { project, diagnostics } = await openFolder(this.#tools)
    if (!project) return { isUsed: false, diagnostics }
    await this.#session.replaceProject(project)
    return { isUsed: true, diagnostics, ...this.#takeRefusal() }
  }

  /** What samples lacked since the last call. */
  #takeRefusal(): Pick<ChangeAnswer, 'refusal'> {
    const complaints = this.#complaints
    this.#complaints = []
    return complaints.length > 0 ? { refusal: complaints.join('\n') } : {}
  }

  get #running(): Session {
    if (!this.#session) throw new Error('there is no cluster: mend the project first')
    return this.#session
  }

  #look(): void {
    this.#report()
    this.#cancel = systemClock.schedule(LOOK_EVERY, () => this.#look())
  }

  #report(anyway = false): void {
    const session = this.#session
    if (!session) return
    const { revision } = session
    const writes = session.takeWrites()
    if (writes.length > 0) this.#options.send({ type: 'writes', revision, writes })
    const state = anyway ? session.state() : session.takeState()
    if (state) this.#options.send({ type: 'state', revision, state })
  }
}

/** @throws Error when the text is not YAML of objects */
function objectsIn(text: string): readonly KubeObject[] {
  const { manifests, diagnostics } = parseManifests(new SourceFile('input', text))
  const [first] = diagnostics
  if (first) throw new Error(`line ${first.line}: ${first.message}`)
  return manifests.map(({ object }) => object)
}

function withoutManagers(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

function manifestOf({ apiVersion, kind, namespace, name }: ObjectName): KubeObject {
  return { apiVersion, kind, metadata: { name, ...(namespace !== '' && { namespace }) } }
}
