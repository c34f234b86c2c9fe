import { systemClock } from '../../src/core/base/clock.ts'
import { isJsonObject, type JsonObject } from '../../src/core/base/json.ts'
import type { Reply, Send } from '../sandbox/contract/exchange.ts'
import { classOf, show } from './compare.ts'
import { type Difference, EXPLAINED } from './differences.ts'
import { birthOf, deathOf, type LifeStep, lifeOf, type Task } from './life-of-document.ts'
import type { CorpusDocument } from './read-documents.ts'
import { Resources } from './resources.ts'
import type { Servers } from './servers.ts'

export interface RunOptions {
  readonly documents: readonly CorpusDocument[]
  readonly seed: number
  readonly mutations: number
  /** Documents that are tried at the same time. */
  readonly lanes: number
  readonly onProgress?: (documents: number) => void
  readonly onDifference?: (difference: Difference) => void
}

/** What came of one corpus. */
export interface Count {
  documents: number
  /** Of kinds that the real server does not serve. */
  unserved: number
  pairs: number
  equal: number
  explained: number
  unexplained: number
}

export interface Report {
  readonly pairs: number
  readonly counts: ReadonlyMap<string, Count>
  readonly found: readonly Difference[]
  /** How often each reason explained a difference. */
  readonly reasons: ReadonlyMap<string, number>
}

/** Tries every document on both servers: CRDs first, and what concerns other objects alone and last. */
export async function runCorpora(servers: Servers, options: RunOptions): Promise<Report> {
  return new CorporaRun(servers, options).run()
}

const ADMISSION = 'admissionregistration.k8s.io/'
const CRD = 'CustomResourceDefinition'
/** Discovery shows a new kind within this time. */
const DISCOVERY_MS = 2000

class CorporaRun {
  readonly #servers: Servers
  readonly #options: RunOptions
  readonly #counts = new Map<string, Count>()
  readonly #found: Difference[] = []
  readonly #reasons = new Map<string, number>()
  readonly #run = `corpora-${Math.random().toString(36).slice(2, 6)}`
  #resources: Resources
  #namespaces = 0
  #done = 0

  constructor(servers: Servers, options: RunOptions) {
    this.#servers = servers
    this.#options = options
    this.#resources = new Resources(servers.real)
  }

  async run(): Promise<Report> {
    const { documents, lanes } = this.#options
    const crds = documents.filter(({ object }) => object.kind === CRD)
    await this.#each(crds, 1, (task) => this.#install(task))
    await systemClock.sleep(DISCOVERY_MS)
    this.#resources = new Resources(this.#servers.real)
    const { inside, outside, admission } = await this.#inOrder(documents.filter(({ object }) => object.kind !== CRD))
    await this.#each(inside, lanes, (task) => this.#live(task))
    await this.#each([...outside, ...admission], 1, (task) => this.#live(task))
    await this.#each(onceEach(crds), 1, (task) => this.#remove(task))
    const pairs = [...this.#counts.values()].reduce((sum, count) => sum + count.pairs, 0)
    return { pairs, counts: this.#counts, found: this.#found, reasons: this.#reasons }
  }

  /** What a namespace keeps from all others comes first; what judges the requests of others comes last. */
  async #inOrder(
    documents: readonly CorpusDocument[],
  ): Promise<Record<'inside' | 'outside' | 'admission', CorpusDocument[]>> {
    const order = { inside: [] as CorpusDocument[], outside: [] as CorpusDocument[], admission: [] as CorpusDocument[] }
    for (const document of documents) {
      const resource = await this.#resources.of(document.object, '')
      if (resource?.namespaced !== false) order.inside.push(document)
      else if (String(document.object.apiVersion).startsWith(ADMISSION)) order.admission.push(document)
      else order.outside.push(document)
    }
    return order
  }

  /** Does something with each document, with some of them at the same time. */
  async #each(documents: readonly CorpusDocument[], lanes: number, work: (task: Task) => Promise<void>): Promise<void> {
    const queue = [...documents]
    const lane = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const task = await this.#taskOf(next)
        if (task) await work(task)
        this.#options.onProgress?.(++this.#done)
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }

  /** Undefined when the real server does not serve the kind. */
  async #taskOf(document: CorpusDocument): Promise<Task | undefined> {
    const namespace = `${this.#run}-${this.#namespaces++}`
    const resource = await this.#resources.of(document.object, namespace)
    if (!resource) this.#countOf(document).unserved++
    else if (resource.namespaced) await this.#createNamespace(namespace)
    const { mutations, seed } = this.#options
    return resource && { document, resource, options: { namespace, mutations, seed: seedOf(document, seed) } }
  }

  async #live(task: Task): Promise<void> {
    const names = await this.#bear(task)
    if (names) await this.#askInTurn(task, names, (name) => [...lifeOf(task, name), ...deathOf(task, name)])
  }

  async #install(task: Task): Promise<void> {
    await this.#bear(task)
    await this.#untilBoth(pathOf(task), isSettled)
  }

  async #remove(task: Task): Promise<void> {
    const name = String(metadataOf(task.document.object).name)
    // How it goes once it is deleted is a matter of time.
    await this.#askInTurn(task, [name, name], () => [...lifeOf(task, name), ...deathOf(task, name).slice(0, 1)])
    await this.#untilBoth(pathOf(task), ({ status }) => status === 404)
  }

  /** The names of the object on both servers; undefined when it has none, or became another thing on each. */
  async #bear(task: Task): Promise<readonly [string, string] | undefined> {
    this.#countOf(task.document).documents++
    let last: readonly Reply[] = []
    for (const step of birthOf(task)) last = await this.#ask(task, step)
    const [real, sandbox] = last.map(({ text }) => nameIn(text) ?? metadataOf(task.document.object).name)
    if (last[0]?.status !== last[1]?.status) return undefined
    return typeof real === 'string' && typeof sandbox === 'string' ? [real, sandbox] : undefined
  }

  async #askInTurn(
    task: Task,
    [real, sandbox]: readonly [string, string],
    stepsFor: (name: string) => readonly LifeStep[],
  ): Promise<void> {
    const ofSandbox = stepsFor(sandbox)
    for (const [index, step] of stepsFor(real).entries()) await this.#ask(task, step, ofSandbox[index])
  }

  async #ask(
    { document, options: { namespace } }: Task,
    ofReal: LifeStep,
    ofSandbox: LifeStep = ofReal,
  ): Promise<readonly [Reply, Reply]> {
    const { real, sandbox } = this.#servers
    const replies = await Promise.all([real(ofReal.request), sandbox(ofSandbox.request)])
    const run = { namespace, sent: document.object }
    const [left, right] = replies.map((reply) => show(run, reply)) as [ReturnType<typeof show>, ReturnType<typeof show>]
    const differs = classOf(left, right)
    const count = this.#countOf(document)
    count.pairs++
    if (!differs) count.equal++
    else this.#note({ document, step: ofReal, class: differs, real: left, sandbox: right }, count)
    return replies
  }

  #note(difference: Difference, count: Count): void {
    const explained = EXPLAINED.find(({ covers }) => covers(difference))
    if (explained) {
      count.explained++
      this.#reasons.set(explained.reason, (this.#reasons.get(explained.reason) ?? 0) + 1)
      return
    }
    count.unexplained++
    this.#found.push(difference)
    this.#options.onDifference?.(difference)
  }

  #countOf({ corpus }: CorpusDocument): Count {
    const known = this.#counts.get(corpus)
    if (known) return known
    const count = { documents: 0, unserved: 0, pairs: 0, equal: 0, explained: 0, unexplained: 0 }
    this.#counts.set(corpus, count)
    return count
  }

  /** With what a controller would make in it. */
  async #createNamespace(name: string): Promise<void> {
    const inside = `/api/v1/namespaces/${name}`
    for (const send of [this.#servers.real, this.#servers.sandbox]) {
      await post(send, '/api/v1/namespaces', { metadata: { name } })
      await post(send, `${inside}/serviceaccounts`, { metadata: { name: 'default' } })
    }
  }

  /** What the API server does to definitions in its own time. */
  async #untilBoth(path: string, isSo: (reply: Reply) => boolean): Promise<void> {
    for (const send of [this.#servers.real, this.#servers.sandbox]) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (isSo(await send({ method: 'GET', path, headers: {}, body: undefined }))) break
        await systemClock.sleep(PAUSE)
      }
    }
  }
}

const ATTEMPTS = 200
const PAUSE = 50

function isSettled({ status, text }: Reply): boolean {
  return status !== 200 || /"type":"Established","status":"True"/.test(text)
}

/** Charts bring the CRDs of their project once more. */
function onceEach(crds: readonly CorpusDocument[]): readonly CorpusDocument[] {
  return [...new Map(crds.map((crd) => [metadataOf(crd.object).name, crd])).values()]
}

function pathOf({ document, resource }: Task): string {
  return `${resource.path}/${metadataOf(document.object).name}`
}

function nameIn(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined
  const body: unknown = JSON.parse(text)
  return isJsonObject(body) && body.kind !== 'Status' ? String(metadataOf(body).name) : undefined
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return isJsonObject(metadata) ? metadata : {}
}

/** Of each document another one, whatever is tried beside it. */
function seedOf({ corpus, place }: CorpusDocument, seed: number): number {
  return [...`${corpus}/${place}`].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, seed)
}

function post(send: Send, path: string, body: JsonObject): Promise<Reply> {
  const headers = { 'content-type': 'application/json' }
  return send({ method: 'POST', path, headers, body: JSON.stringify(body) })
}
