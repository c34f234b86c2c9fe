import type { Clock } from '../base/clock.ts'
import { explain } from '../base/coded-error.ts'
import type { JsonObject } from '../base/json.ts'
import type { Logger } from '../base/logger.ts'
import { ApiError } from '../kube/api-error.ts'
import { apiVersionOf, formatGroupKind, formatGvk, type GroupKind, type Gvk } from '../kube/group-version-kind.ts'
import type { Capabilities } from '../kube/helm-chart.ts'
import type { ResourceMapper, ResourceMapping } from '../kube/resource-mapper.ts'
import { parseAggregated, parseGroupVersions, parseResourceList, type ServedVersion } from './discovery.ts'
import { parseAnswer } from './to-api-error.ts'
import type { Transport } from './transport.ts'

export interface DiscoveredMapperOptions {
  readonly transport: Transport
  readonly clock: Clock
  readonly logger: Logger
  /** Milliseconds between two questions to the server about kinds that it did not serve. Defaults to 5 s. */
  readonly minimumInterval?: number | undefined
}

interface Snapshot {
  readonly at: number
  /** By group and version, in the server's order of preference. */
  readonly versions: ReadonlyMap<string, ServedVersion>
  readonly mappings: ReadonlyMap<string, ResourceMapping>
}

/**
 * What the server serves, learnt from discovery when first asked and again when a kind is unknown. A group that cannot
 * be discovered keeps what was known of it, and does not touch the others.
 */
export class DiscoveredMapper implements ResourceMapper {
  readonly #options: DiscoveredMapperOptions
  #snapshot: Snapshot | undefined
  #previous: Snapshot | undefined
  #loading: Promise<Snapshot> | undefined
  /** Kinds for which nothing known counts until the server has answered again. */
  readonly #doubted = new Set<string>()
  #served: { readonly at: number; readonly capabilities: Promise<Capabilities> } | undefined

  constructor(options: DiscoveredMapperOptions) {
    this.#options = options
  }

  /** What is known of a kind without a question to the server. */
  known(gvk: Gvk): ResourceMapping | undefined {
    return this.#isDoubted(gvk) ? undefined : this.#snapshot?.mappings.get(formatGvk(gvk))
  }

  async mappingFor(gvk: Gvk): Promise<ResourceMapping> {
    const known = this.known(gvk)
    if (known) return known
    const mapping = await this.#ask(gvk, ({ mappings }) => mappings.get(formatGvk(gvk)))
    if (mapping) return mapping
    const served = this.#snapshot?.versions.get(apiVersionOf(gvk))
    if (served?.known === false) {
      const cause = `the API server cannot reach the group "${gvk.group}" at present`
      throw new ApiError(503, 'ServiceUnavailable', `cannot find ${formatGvk(gvk)}: ${cause}`)
    }
    const cause = 'the API server does not serve this kind; is its CustomResourceDefinition installed?'
    throw new ApiError(404, 'KindNotServed', `cannot find ${formatGvk(gvk)}: ${cause}`)
  }

  async preferred(groupKind: GroupKind): Promise<Gvk | undefined> {
    const { group, kind } = groupKind
    const mapping = await this.#ask(groupKind, ({ versions, mappings }) => {
      const ofGroup = [...versions.values()].filter((served) => served.group === group)
      const found = ofGroup.map(({ version }) => mappings.get(formatGvk({ group, version, kind })))
      return found.find((candidate) => candidate !== undefined)
    })
    return mapping?.gvk
  }

  /** At most a minute old. */
  async served(): Promise<Capabilities> {
    const now = this.#options.clock.monotonic()
    if (!this.#served || now - this.#served.at >= RECENT) this.#served = { at: now, capabilities: this.#askServed() }
    const { capabilities } = this.#served
    capabilities.catch(() => {
      this.#served = undefined
    })
    return capabilities
  }

  async #askServed(): Promise<Capabilities> {
    const [{ versions, mappings }, { gitVersion }] = await Promise.all([
      this.#load(),
      this.#get('/version', 'application/json'),
    ])
    const kinds = [...mappings.values()].map(({ gvk }) => `${apiVersionOf(gvk)}/${gvk.kind}`)
    return { kubeVersion: String(gitVersion), apiVersions: [...new Set([...versions.keys(), ...kinds])].sort() }
  }

  refresh(): void {
    this.#previous = this.#snapshot ?? this.#previous
    this.#snapshot = undefined
  }

  /**
   * A request for this kind found nothing: look again before the next one, unless that was done a moment ago. Requests for
   * other kinds go on meanwhile.
   */
  doubt(gvk: Gvk): void {
    if (this.#snapshot && this.#isOld(this.#snapshot)) this.#doubted.add(formatGroupKind(gvk))
  }

  async #ask<Found>(groupKind: GroupKind, find: (snapshot: Snapshot) => Found | undefined): Promise<Found | undefined> {
    const known = this.#isDoubted(groupKind) ? undefined : this.#snapshot
    const snapshot = known ?? (await this.#load())
    const found = find(snapshot)
    if (found !== undefined || !this.#isOld(snapshot)) return found
    return find(await this.#load())
  }

  #isDoubted(groupKind: GroupKind): boolean {
    return this.#doubted.size > 0 && this.#doubted.has(formatGroupKind(groupKind))
  }

  #isOld({ at }: Snapshot): boolean {
    const { clock, minimumInterval = 5000 } = this.#options
    return clock.monotonic() - at >= minimumInterval
  }

  /** Calls that come during a discovery share its result. */
  #load(): Promise<Snapshot> {
    this.#loading ??= this.#discover()
      .then((versions) => {
        this.#snapshot = this.#toSnapshot(versions)
        this.#doubted.clear()
        return this.#snapshot
      })
      .finally(() => {
        this.#loading = undefined
      })
    return this.#loading
  }

  #toSnapshot(discovered: readonly ServedVersion[]): Snapshot {
    const former = this.#snapshot ?? this.#previous
    const versions = new Map<string, ServedVersion>()
    const mappings = new Map<string, ResourceMapping>()
    for (const served of discovered) {
      const key = apiVersionOf(served)
      const { resources } = served.known ? served : (former?.versions.get(key) ?? served)
      versions.set(key, { ...served, resources })
      for (const mapping of resources) mappings.set(formatGvk(mapping.gvk), mapping)
    }
    return { at: this.#options.clock.monotonic(), versions, mappings }
  }

  async #discover(): Promise<readonly ServedVersion[]> {
    const found = await Promise.all(['/api', '/apis'].map((path) => this.#discoverUnder(path)))
    return found.flat()
  }

  async #discoverUnder(path: string): Promise<readonly ServedVersion[]> {
    const document = await this.#get(path, AGGREGATED)
    if (document.kind === 'APIGroupDiscoveryList') return parseAggregated(document)
    return Promise.all(parseGroupVersions(document).map((served) => this.#discoverVersion(served)))
  }

  async #discoverVersion({ group, version }: { group: string; version: string }): Promise<ServedVersion> {
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
    try {
      const list = await this.#get(path, 'application/json')
      return { group, version, known: true, resources: parseResourceList(list, { group, version }) }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.#options.logger.warn('cannot discover a group of the API server', { group, version, error: explain(error) })
      return { group, version, known: false, resources: [] }
    }
  }

  async #get(path: string, accept: string): Promise<JsonObject> {
    return parseAnswer(await this.#options.transport.send({ method: 'GET', path, accept }), `GET ${path}`)
  }
}

/** Milliseconds. */
const RECENT = 60_000

const AGGREGATED = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',')
