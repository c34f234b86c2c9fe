import { systemClock } from '../../src/core/base/clock.ts'
import { isJsonObject, type JsonObject } from '../../src/core/base/json.ts'
import type { Reply, Send } from '../sandbox/contract/exchange.ts'
import { classOf, show } from './compare.ts'
import { type Difference, EXPLAINED } from './differences.ts'
import { birthOf, deathOf, type LifeStep, lifeOf } from './life-of-document.ts'
import type { CorpusDocument } from './read-documents.ts'
import { type Resource, Resources } from './resources.ts'
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
    const others = documents.filter(({ object }) => object.kind !== CRD)
    await this.#inLanes(1, crds, (document) =>
      this.#try(document, (resource, namespace) => this.#install(document, resource, namespace)),
    )
    // Discovery follows.
    await systemClock.sleep(2000)
    this.#resources = new Resources(this.#servers.real)
    const placed = await Promise.all(
      others.map(async (document) => ({ document, resource: await this.#resources.of(document.object, '-') })),
    )
    const inside = placed.filter(({ resource }) => resource?.namespaced !== false).map(({ document }) => document)
    const outside = placed.filter(({ resource }) => resource?.namespaced === false).map(({ document }) => document)
    const live = (document: CorpusDocument): Promise<void> =>
      this.#try(document, (resource, namespace) => this.#live(document, resource, namespace))
    await this.#inLanes(lanes, inside, live)
    await this.#inLanes(
      1,
      outside.filter((each) => !isAdmission(each)),
      live,
    )
    await this.#inLanes(1, outside.filter(isAdmission), live)
    await this.#inLanes(1, crds, (document) =>
      this.#try(document, (resource, namespace) => this.#remove(document, resource, namespace)),
    )
    const pairs = [...this.#counts.values()].reduce((sum, count) => sum + count.pairs, 0)
    return { pairs, counts: this.#counts, found: this.#found, reasons: this.#reasons }
  }

  async #inLanes(
    lanes: number,
    documents: readonly CorpusDocument[],
    work: (document: CorpusDocument) => Promise<void>,
  ): Promise<void> {
    const queue = [...documents]
    const lane = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        await work(next)
        this.#options.onProgress?.(++this.#done)
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }

  async #try(document: CorpusDocument, work: (resource: Resource, namespace: string) => Promise<void>): Promise<void> {
    const namespace = `${this.#run}-${this.#namespaces++}`
    const resource = await this.#resources.of(document.object, namespace)
    const count = this.#countOf(document)
    if (!resource) {
      count.unserved++
      return
    }
    if (resource.namespaced) await this.#createNamespace(namespace)
    await work(resource, namespace)
  }

  async #live(document: CorpusDocument, resource: Resource, namespace: string): Promise<void> {
    const names = await this.#bear(document, resource, namespace)
    if (!names) return
    const options = { ...this.#options, seed: seedOf(document, this.#options.seed), namespace }
    const [real, sandbox] = names.map((name) => lifeOf(document, resource, options, name)) as [LifeStep[], LifeStep[]]
    for (const [index, step] of real.entries()) await this.#ask(document, namespace, step, sandbox[index])
    const ends = names.map((name) => deathOf(resource, String(document.object.kind), name)) as [LifeStep[], LifeStep[]]
    for (const [index, step] of ends[0].entries()) await this.#ask(document, namespace, step, ends[1][index])
  }

  /** The names of the object on both servers; undefined when it has none, or became another thing on each. */
  async #bear(
    document: CorpusDocument,
    resource: Resource,
    namespace: string,
  ): Promise<readonly [string, string] | undefined> {
    this.#countOf(document).documents++
    const options = { ...this.#options, seed: seedOf(document, this.#options.seed), namespace }
    let last: readonly Reply[] = []
    for (const step of birthOf(document, resource, options)) last = await this.#ask(document, namespace, step)
    const names = last.map(({ text }) => nameIn(text)).map((name) => name ?? metadataOf(document.object).name)
    const [real, sandbox] = names
    if (last[0]?.status !== last[1]?.status) return undefined
    return typeof real === 'string' && typeof sandbox === 'string' ? [real, sandbox] : undefined
  }

  async #install(document: CorpusDocument, resource: Resource, namespace: string): Promise<void> {
    await this.#bear(document, resource, namespace)
    await this.#untilBoth(`${resource.path}/${metadataOf(document.object).name}`, isSettled)
  }

  async #remove(document: CorpusDocument, resource: Resource, namespace: string): Promise<void> {
    const name = String(metadataOf(document.object).name)
    const options = { ...this.#options, seed: seedOf(document, this.#options.seed), namespace }
    for (const step of lifeOf(document, resource, options, name)) await this.#ask(document, namespace, step)
    for (const step of deathOf(resource, CRD, name).slice(0, 1)) await this.#ask(document, namespace, step)
    await this.#untilBoth(`${resource.path}/${name}`, ({ status }) => status === 404)
  }

  async #ask(
    document: CorpusDocument,
    namespace: string,
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

function isAdmission({ object }: CorpusDocument): boolean {
  return String(object.apiVersion).startsWith(ADMISSION)
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
