import type { JsonObject } from '../../../src/core/base/json.ts'
import { ControlSet } from './control-set.ts'
import { type Corpus, loadCorpus } from './corpus.ts'
import type { FuzzRequest, Target } from './fuzz-request.ts'
import { generateRequest } from './generate-request.ts'
import { faultOf, isMeant } from './judge.ts'
import { Random } from './random.ts'
import { ServerProcess } from './server-process.ts'
import { type WireAnswer, WireClient } from './wire-client.ts'

export interface FuzzOptions {
  readonly requests: number
  readonly seed: number
  /** Milliseconds that an answer may take. */
  readonly patience: number
  readonly onProgress?: (done: number, megabytes: number) => void
}

export interface FuzzReport {
  readonly requests: number
  readonly seconds: number
  /** By topic and by status. */
  readonly counts: ReadonlyMap<string, number>
  /** Answers of 500 and more that the real server gives, too. */
  readonly meant: number
  /** Milliseconds of the answers: the median, of the slowest hundredth, and of the slowest. */
  readonly times: { readonly median: number; readonly p99: number; readonly slowest: number }
  readonly megabytes: number
  readonly faults: readonly FuzzFault[]
}

export interface FuzzFault {
  /** Which request it was. */
  readonly index: number
  readonly what: string
  readonly request?: FuzzRequest | undefined
}

/** How often the other objects and the process are looked at. */
const CHECK_EVERY = 1000
const ROOM_EVERY = 100
const MOST_FAULTS = 25

/** Sends requests that are made from a seed, and reports what should not be. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const server = await ServerProcess.start()
  const client = new WireClient(server.port, server.token, options.patience)
  try {
    const corpus = await loadCorpus(await readTargets(client))
    return await new FuzzRun(options, { server, client, corpus }).run()
  } finally {
    client.close()
    await server.stop()
  }
}

interface Parts {
  readonly server: ServerProcess
  readonly client: WireClient
  readonly corpus: Corpus
}

class FuzzRun {
  readonly #options: FuzzOptions
  readonly #parts: Parts
  readonly #counts = new Map<string, number>()
  readonly #times: number[] = []
  readonly #faults: FuzzFault[] = []
  #meant = 0
  #megabytes = 0
  /** An answer did not come in time: whatever is sent next would wait, too. */
  #isStuck = false

  constructor(options: FuzzOptions, parts: Parts) {
    this.#options = options
    this.#parts = parts
  }

  async run(): Promise<FuzzReport> {
    const control = new ControlSet(this.#parts.client)
    await control.create()
    const before = await control.untilQuiet()
    const start = performance.now()
    const requests = await this.#sendAll(control, () => this.#check(control, before))
    const seconds = (performance.now() - start) / 1000
    const times = this.#times.sort((left, right) => left - right)
    const at = (part: number): number => times[Math.floor((times.length - 1) * part)] ?? 0
    return {
      requests,
      seconds,
      counts: this.#counts,
      meant: this.#meant,
      times: { median: at(0.5), p99: at(0.99), slowest: at(1) },
      megabytes: this.#megabytes,
      faults: this.#faults,
    }
  }

  async #sendAll(control: ControlSet, check: (index: number) => Promise<void>): Promise<number> {
    const { requests, seed, onProgress } = this.#options
    let index = 0
    const goesOn = (): boolean => this.#faults.length < MOST_FAULTS && !this.#isStuck && this.#parts.server.isAlive
    for (; index < requests && goesOn(); index++) {
      if (index % ROOM_EVERY === 0) await control.resetNamespaces()
      const random = new Random(seed * 1_000_003 + index)
      await this.#sendOne(index, generateRequest(random, this.#parts.corpus))
      if ((index + 1) % CHECK_EVERY !== 0) continue
      await check(index)
      onProgress?.(index + 1, this.#megabytes)
    }
    if (!this.#isStuck) await check(index)
    return index
  }

  async #sendOne(index: number, request: FuzzRequest): Promise<void> {
    try {
      const answer = await this.#parts.client.send(request)
      this.#note(request, answer)
      const what = faultOf(request, answer)
      if (what !== undefined) this.#faults.push({ index, what, request })
    } catch (error) {
      this.#faults.push({ index, what: String(error), request })
      this.#isStuck = true
    }
  }

  #note({ topic, path }: FuzzRequest, { status, body, milliseconds, contentType }: WireAnswer): void {
    for (const key of [topic, String(status)]) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    if (status >= 500 && isMeant(path, body)) this.#meant++
    if (!contentType.includes('stream')) this.#times.push(milliseconds)
  }

  /** The process lives, its prototypes are clean, and what no request was about is as it was. */
  async #check(control: ControlSet, before: JsonObject): Promise<void> {
    const { server } = this.#parts
    const index = this.#times.length
    if (!server.isAlive) {
      this.#faults.push({ index, what: `the process ended: ${server.lastWords}` })
      return
    }
    const { polluted, megabytes } = await server.health()
    this.#megabytes = megabytes
    if (polluted.length > 0) this.#faults.push({ index, what: `every object has ${polluted.join(', ')}` })
    const now = await control.read().catch((error) => ({ error: String(error) }) as JsonObject)
    for (const path of new Set([...Object.keys(before), ...Object.keys(now)])) {
      const [was, is] = [JSON.stringify(before[path]), JSON.stringify(now[path])]
      if (was !== is) this.#faults.push({ index, what: `${path} was changed from ${was} to ${is}` })
    }
  }
}

/** What the server serves, by apiVersion and kind. */
async function readTargets(client: WireClient): Promise<ReadonlyMap<string, Target>> {
  const targets = new Map<string, Target>()
  for (const root of ['/api', '/apis']) {
    const headers = [['Accept', 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList']] as const
    const { body } = await client.send({ topic: 'discovery', method: 'GET', path: root, headers, body: undefined })
    for (const { metadata, versions } of JSON.parse(body).items as DiscoveredGroup[]) {
      const group = metadata.name ?? ''
      for (const { version, resources } of versions) {
        for (const { resource, responseKind, scope, subresources = [] } of resources) {
          const names = subresources.map(({ subresource }) => subresource)
          const target = { group, version, plural: resource, namespaced: scope === 'Namespaced', subresources: names }
          targets.set(`${group === '' ? '' : `${group}/`}${version}/${responseKind.kind}`, target)
        }
      }
    }
  }
  return targets
}

interface DiscoveredGroup {
  readonly metadata: { readonly name?: string }
  readonly versions: readonly {
    readonly version: string
    readonly resources: readonly {
      readonly resource: string
      readonly responseKind: { readonly kind: string }
      readonly scope: string
      readonly subresources?: readonly { readonly subresource: string }[]
    }[]
  }[]
}
