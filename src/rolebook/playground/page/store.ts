import { filePathProblem } from '../file-path-problem.ts'
import type {
  ChangeAnswer,
  ClusterState,
  CompletionView,
  DiagnosticView,
  FileEdit,
  FixView,
  HoverView,
  ObjectName,
  PlaygroundRequest,
  ProjectTexts,
  TestView,
  TextPlace,
  TextRange,
  WriteView,
} from '../protocol.ts'
import { exampleFragment, toFragment } from '../share-link.ts'
import { startingText } from '../starting-text.ts'
import { rangeAfter, withEdits } from '../text-edits.ts'
import { advanceTour } from '../tour.ts'
import { askedFor, firstOf, isTourAsked, mainFileOf, type ShippedProject, TOUR, tourOf } from './asked-project.ts'
import type { EditorPlace } from './editor.tsx'
import { type KeptProject, keepProject, keptProject } from './kept-project.ts'
import { isTourClosed, keepTourClosed, keepTourStep, keptTourStep } from './kept-tour.ts'
import { type PageState, START } from './page-state.ts'
import { WorkerClient } from './worker-client.ts'

/** What the parts of the page get. */
export interface PaneProps {
  readonly store: Store
  readonly state: PageState
}

const MOST_WRITES = 200
/** Milliseconds without a key after which a project is taken over. */
const QUIET_PERIOD = 400

/** What the page shows, and all that a person can do with it. */
export class Store {
  state = START
  readonly #listeners = new Set<() => void>()
  readonly #worker: WorkerClient
  #timer = 0
  /** The files that the diagnostics are about. */
  #checked: ProjectTexts = {}
  #isAsking = false
  #isOld = false

  constructor() {
    const crashed = (message: string): void => this.#set({ message: `The worker has stopped: ${message}` })
    this.#worker = new WorkerClient((notice) => {
      if (notice.revision !== this.state.revision) return // of a project that was open before
      if (notice.type === 'writes') this.#addWrites(notice.writes)
      else this.#takeState(notice.state)
    }, crashed)
  }

  /** Calls back after each change, until the function returned is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Opens the project that the address asks for. */
  start(): Promise<void> {
    return this.#do(() => this.#start())
  }

  async #start(): Promise<void> {
    const answer = await fetch(new URL('./projects.json', import.meta.url))
    const shipped: readonly ShippedProject[] = await answer.json()
    let problem: string | undefined
    const { name, files } = await askedFor(location.hash, shipped).catch((error: Error) => {
      problem = error.message
      return firstOf(shipped)
    })
    const kept = problem === undefined ? keptProject(location.hash) : undefined
    const isFirstVisit = location.hash === '' && !isTourClosed()
    // Not before the project is known: what a person opened until then would be replaced by it.
    this.#set({ shipped, isTourShown: isFirstVisit || isTourAsked(location.hash) })
    await this.open(name, files, kept)
    if (problem !== undefined) this.#say(problem)
  }

  /** The address follows, so that the page opens the same again. */
  async openShipped(name: string): Promise<void> {
    const found = this.state.shipped.find((one) => one.name === name)
    if (!found) return
    history.replaceState(null, '', `#${exampleFragment(name)}`)
    await this.open(found.name, found.files)
  }

  /** From its first step. */
  async startTour(): Promise<void> {
    history.replaceState(null, '', `#${TOUR}`)
    keepTourStep(0)
    const { name, files } = tourOf(this.state.shipped)
    await this.open(name, files)
  }

  showTour(): void {
    this.#set({ isTourShown: true })
  }

  /** It stays closed on later visits. */
  closeTour(): void {
    keepTourClosed()
    this.#set({ isTourShown: false })
  }

  /** `kept`: what a person has made of it. */
  async open(name: string, original: ProjectTexts, kept?: KeptProject): Promise<void> {
    clearTimeout(this.#timer)
    const files = kept?.files ?? original
    const file = kept?.file !== undefined && kept.file in files ? kept.file : mainFileOf(files)
    const { shipped, isTourShown } = this.state
    const revision = this.state.revision + 1
    const tour = name === TOUR ? { step: kept ? keptTourStep() : 0, since: 0 } : undefined
    this.#set({ ...START, shipped, isTourShown, name, files, original, file, revision, tour })
    if (!kept) keepProject(location.hash, undefined)
    await this.#do(async () => {
      const answer = await this.#worker.ask({ type: 'open', files, revision })
      const used = kept ? 'The cluster runs. It has your changes.' : 'The cluster runs.'
      this.#takeAnswer(answer, { files, revision }, used)
    })
  }

  /** Back to the project as it was opened. */
  async reset(): Promise<void> {
    const { name, original } = this.state
    await this.open(name, original)
  }

  choose(file: string): void {
    this.#set({ file, cursor: undefined })
  }

  /** Takes the text of the open file over as soon as a person stops typing. */
  edit(text: string): void {
    const { files, file } = this.state
    if (files[file] === text) return
    this.#set({ files: { ...files, [file]: text } })
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#changeNow(), QUIET_PERIOD) as unknown as number
  }

  /** Takes over at once what was typed, if it was not yet. */
  #changeNow(): void {
    if (this.#timer === 0) return
    clearTimeout(this.#timer)
    this.#timer = 0
    void this.#change()
  }

  /** Puts a new file into the editor. Returns why it cannot be, if so. */
  addFile(path: string): string | undefined {
    const { files } = this.state
    const problem = filePathProblem(path, files)
    if (problem !== undefined) return `cannot add the file: ${problem}`
    this.#replace({ ...files, [path]: startingText(path, files) }, { file: path }, `${path} is added.`)
    return undefined
  }

  /** Returns why it cannot be, if so. */
  renameFile(from: string, to: string): string | undefined {
    const { [from]: text = '', ...others } = this.state.files
    if (from === to) return undefined
    const problem = from === WATCHES ? NEEDED : filePathProblem(to, others)
    if (problem !== undefined) return `cannot rename ${from}: ${problem}`
    this.#replace({ ...others, [to]: text }, { file: to }, `${from} is ${to} now.`)
    return undefined
  }

  /** It can be taken back until the next one. */
  deleteFile(path: string): void {
    const { [path]: text, ...others } = this.state.files
    if (text === undefined) return
    const { file } = this.state
    const next = { file: file === path ? mainFileOf(others) : file, removed: { [path]: text } }
    if (path === WATCHES) this.#say(`cannot delete ${path}: ${NEEDED}`)
    else this.#replace(others, next, `${path} is deleted.`)
  }

  /** Brings back what the last deletion took away, unless a new file has its name. */
  undoDeletion(): void {
    const { files, removed = {} } = this.state
    const [path = ''] = Object.keys(removed)
    const problem = filePathProblem(path, files)
    if (problem !== undefined) this.#say(`cannot bring ${path} back: ${problem}`)
    else this.#replace({ ...files, ...removed }, { file: path }, `${path} is back.`)
  }

  #replace(files: ProjectTexts, change: Pick<PageState, 'file'> & Partial<PageState>, done: string): void {
    this.#set({ removed: undefined, cursor: undefined, ...change, files })
    clearTimeout(this.#timer)
    this.#timer = 0
    void this.#change(done)
  }

  /** What may stand at a place of the open file. */
  complete(place: EditorPlace): Promise<CompletionView | undefined> {
    return this.#worker.ask({ type: 'complete', place: this.#inFile(place) }).catch(() => undefined)
  }

  /** What is known of what stands there. */
  async hover(place: EditorPlace): Promise<HoverView | undefined> {
    return (await this.#worker.ask({ type: 'hover', place: this.#inFile(place) }).catch(() => null)) ?? undefined
  }

  /** Opens the file where the name at a place comes from. */
  goToDefinition(place: EditorPlace): Promise<void> {
    return this.#do(async () => {
      const [found] = await this.#worker.ask({ type: 'define', place: this.#inFile(place) })
      if (found && found.path in this.state.files) this.#set({ file: found.path, cursor: found })
      else this.#say(NO_DEFINITION)
    })
  }

  goToProblem({ file, line, column }: DiagnosticView): void {
    const start = offsetOf({ line, column }, this.state.files[file] ?? '')
    this.#set({ file, cursor: { path: file, start, end: start } })
  }

  /** The name at a place that can be renamed. Without one, the page says what can be. */
  async nameAt({ text, offset }: EditorPlace): Promise<string | undefined> {
    let name: string | undefined
    await this.#do(async () => {
      const found = await this.#worker.ask({ type: 'name', place: this.#inFile({ text, offset }) })
      if (found) name = text.slice(found.start, found.end)
      else this.#say(NO_NAME)
    })
    return name
  }

  /** In all files. Returns why it cannot be, if so. */
  async rename(place: EditorPlace, name: string): Promise<string | undefined> {
    this.#changeNow()
    const { files } = this.state
    const { path, offset, text } = this.#inFile(place)
    if (files[path] !== text) return OUTDATED
    try {
      const edits = await this.#worker.ask({ type: 'rename', place: { path, offset, text }, name })
      if (this.state.files !== files) return OUTDATED
      const inFile = edits.filter((edit) => edit.path === path)
      const here = inFile.find(({ start, end }) => start - 1 <= offset && offset <= end)
      const cursor = here && { path, ...rangeAfter(here, inFile) }
      this.#write(edits, `${name} is the new name, in ${edits.length} places.`, cursor)
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  /** Does what the hint of a mistake proposes. */
  takeFix({ file }: DiagnosticView, { title, edits }: FixView): void {
    const isOld = this.state.files[file] !== this.#checked[file]
    if (isOld) this.#say(OUTDATED)
    else
      this.#write(
        edits.map((edit) => ({ path: file, ...edit })),
        `${title}: done.`,
      )
  }

  #write(edits: readonly FileEdit[], done: string, cursor?: TextRange): void {
    const { files, file, written } = this.state
    this.#replace(withEdits(files, edits), { file, written: written + 1, cursor }, done)
  }

  #inFile({ text, offset }: EditorPlace): TextPlace {
    return { path: this.state.file, text, offset }
  }

  select(uid: string | undefined): void {
    this.#set({ selected: uid, details: undefined })
    void this.#askDetails()
  }

  /** Does something with the cluster, and says what became of it. */
  act(request: PlaygroundRequest, done: string): Promise<void> {
    return this.#do(async () => {
      await this.#worker.ask(request)
      this.#say(done)
    })
  }

  /** The object in YAML. */
  async yamlOf(object: ObjectName): Promise<string> {
    let text = ''
    await this.#do(async () => {
      text = await this.#worker.ask({ type: 'get', object })
    })
    return text
  }

  async runTests(): Promise<void> {
    this.#set({ tests: 'running' })
    let tests: readonly TestView[] | undefined
    await this.#do(async () => {
      tests = await this.#worker.ask({ type: 'test' })
      const failed = tests.filter(({ isPassed }) => !isPassed).length
      this.#say(failed === 0 ? `All ${tests.length} passed.` : `${failed} of ${tests.length} failed.`)
    })
    this.#set({ tests })
  }

  async share(): Promise<void> {
    await this.#do(async () => {
      const address = new URL(location.href)
      address.hash = await toFragment(this.state.files)
      history.replaceState(null, '', address)
      this.#keep()
      await navigator.clipboard?.writeText(address.href).catch(() => undefined)
      this.#say('The address of this page is a link to the project now, and was copied if the browser allows it.')
    })
  }

  /** `done` says what a person has done, if typing was not all. */
  async #change(done?: string): Promise<void> {
    this.#keep()
    await this.#do(async () => {
      const { files, revision } = this.state
      const answer = await this.#worker.ask({ type: 'change', files })
      this.#takeAnswer(answer, { files, revision }, 'The change is used.', done)
    })
  }

  /** `asked`: what the answer is about. Nothing becomes of it when another project was opened meanwhile. */
  #takeAnswer(
    { diagnostics, isUsed, refusal }: ChangeAnswer,
    asked: Pick<PageState, 'files' | 'revision'>,
    used: string,
    done?: string,
  ): void {
    if (asked.revision !== this.state.revision) return
    this.#checked = asked.files
    const followed = refusal ?? (isUsed ? used : MISTAKES)
    this.#set({ diagnostics, message: done === undefined ? followed : `${done} ${followed}` })
  }

  #keep(): void {
    const { files, file, original } = this.state
    keepProject(location.hash, files === original ? undefined : { files, file })
  }

  async #do(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error))
    }
  }

  /** Once more after an answer that is older than the last change. */
  async #askDetails(): Promise<void> {
    this.#isOld = true
    if (this.#isAsking) return
    this.#isAsking = true
    while (this.#isOld && this.state.selected !== undefined) {
      this.#isOld = false
      await this.#readDetails(this.state.selected)
    }
    this.#isAsking = false
  }

  #readDetails(uid: string): Promise<void> {
    return this.#do(async () => {
      const details = (await this.#worker.ask({ type: 'details', uid })) ?? undefined
      if (this.state.selected === uid) this.#set({ details })
    })
  }

  #takeState(cluster: ClusterState): void {
    const { selected } = this.state
    const isThere = cluster.rows.some(({ uid }) => uid === selected)
    this.#set({ cluster, ...(!isThere && { selected: cluster.rows[0]?.uid, details: undefined }) })
    void this.#askDetails()
  }

  #addWrites(writes: readonly WriteView[]): void {
    this.#set({ writes: [...writes.toReversed(), ...this.state.writes].slice(0, MOST_WRITES) })
  }

  #say(message: string): void {
    this.#set({ message })
  }

  #set(change: Partial<PageState>): void {
    this.state = { ...this.state, ...change }
    this.#advanceTour()
    for (const listener of this.#listeners) listener()
  }

  #advanceTour(): void {
    const { tour } = this.state
    const next = tour && advanceTour(tour, this.state)
    if (next === tour) return
    this.state = { ...this.state, tour: next }
    keepTourStep(next?.step ?? 0)
  }
}

const WATCHES = 'watches.yaml'
const NEEDED = 'a project is what this file says (change its text instead)'
const NO_DEFINITION =
  'cannot go to a definition: the cursor is at no name that this project defines (put it on a variable, a task or a file)'
const NO_NAME = 'cannot rename: there is no variable or task at the cursor (put it on its name)'
const OUTDATED = 'cannot change the text: it is newer than what was checked (wait a moment, and try again)'
const MISTAKES = 'The project has mistakes: the last good version goes on.'

/** Line and column count from 1. */
function offsetOf({ line, column }: Pick<DiagnosticView, 'line' | 'column'>, text: string): number {
  const before = text.split('\n').slice(0, line - 1)
  return before.reduce((sum, one) => sum + one.length + 1, column - 1)
}
