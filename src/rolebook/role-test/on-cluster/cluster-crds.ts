import type { Clock } from '../../../core/base/clock.ts'
import { CodedError, explain } from '../../../core/base/coded-error.ts'
import { isJsonArray, isJsonObject, type JsonObject, printPath } from '../../../core/base/json.ts'
import { jsonChanges } from '../../../core/base/json-changes.ts'
import { ApiError } from '../../../core/kube/api-error.ts'
import { conditionsOf, findCondition } from '../../../core/kube/condition.ts'
import { mappingsOfCrd } from '../../../core/kube/crd-kinds.ts'
import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import { formatObject, type KubeObject, keyOf } from '../../../core/kube/object.ts'
import type { Connection } from '../../../core/kube-client/connect.ts'
import { matchObject } from '../match-object.ts'
import { untilHolds } from './until-holds.ts'

export interface CrdOptions {
  readonly connection: Pick<Connection, 'client' | 'mapper'>
  readonly clock: Clock
  readonly signal: AbortSignal
  /** The label of what tests make. */
  readonly mark: string
}

const NAMESPACE = { group: '', version: 'v1', kind: 'Namespace' }
const FIELD_MANAGER = 'rolebook-test'
/** Milliseconds for a server to serve a kind, or to be rid of it. */
const PATIENCE = 30_000

/** The CRDs of tests on a cluster: those that it lacks are there for as long as the tests run, all others stay as they are. */
export class ClusterCrds {
  readonly #options: CrdOptions
  readonly #installed = new Map<string, KubeObject>()

  constructor(options: CrdOptions) {
    this.#options = options
  }

  /** Changes nothing. @throws CodedError `DifferentCrd` when the cluster has another one of a name */
  async compare(crds: readonly KubeObject[]): Promise<void> {
    const found = await Promise.all(crds.map((crd) => this.#differenceFrom(crd)))
    const differences = crds.flatMap(({ metadata }, index) =>
      found[index] === undefined ? [] : [`${metadata.name}: ${found[index]}`],
    )
    if (differences.length === 0) return
    const remedy = 'bring the cluster and the roles to the same CRD, or run the tests on a cluster without it'
    const message = `cannot run tests on a cluster with other CRDs than those of the roles (${remedy})`
    throw new CodedError('DifferentCrd', [message, ...differences].join('\n  '))
  }

  /** Returns when the kind is served. @throws CodedError `DifferentCrd`, `CrdNotEstablished` */
  async install(crd: KubeObject): Promise<void> {
    const { connection, mark } = this.#options
    await this.compare([crd])
    await this.#until(async () => (await this.#live(crd))?.metadata.deletionTimestamp === undefined)
    const live = await this.#live(crd)
    // One that tests have left behind, or that is needed elsewhere, goes with the last that need it.
    if (live?.metadata.labels?.[mark] !== undefined) this.#installed.set(crd.metadata.name ?? '', live)
    if (live) return
    const metadata = { ...crd.metadata, labels: { ...crd.metadata.labels, [mark]: 'true' } }
    const made = await connection.client.create({ ...crd, metadata }, { fieldManager: FIELD_MANAGER })
    this.#installed.set(crd.metadata.name ?? '', made)
    if (!(await this.#until(() => this.#isServed(crd))))
      throw new CodedError(
        'CrdNotEstablished',
        `cannot install ${formatObject(crd)}: the server does not serve its kind`,
      )
  }

  /** Removes those that were installed here, unless others have come to use them. Returns what stays, and why. */
  async remove(): Promise<readonly string[]> {
    const left: string[] = []
    for (const crd of this.#installed.values()) {
      const reason = await this.#remove(crd).catch(explain)
      if (reason !== undefined) left.push(`${formatObject(crd)}: ${reason}`)
    }
    this.#installed.clear()
    return left
  }

  async #remove(crd: KubeObject): Promise<string | undefined> {
    const { client } = this.#options.connection
    const [stored] = mappingsOfCrd(crd)
    const users = stored ? (await client.list(stored.gvk)).items : []
    for (const user of users) {
      if (!(await this.#isOfTest(user))) return `it is in use by ${formatObject(user)}, which no test has made`
    }
    if (users.length > 0) return undefined
    await client.delete(gvkOf(crd), keyOf(crd), { uid: crd.metadata.uid })
    const isGone = async (): Promise<boolean> => (await this.#live(crd)) === undefined
    return (await untilHolds(isGone, { clock: this.#options.clock, patience: PATIENCE })) ? undefined : 'it does not go'
  }

  /** Whether it stands in the namespace of a test, be it one that another process runs. */
  async #isOfTest({ metadata: { namespace = '' } }: KubeObject): Promise<boolean> {
    const { connection, mark } = this.#options
    const place = await connection.client.get(NAMESPACE, { namespace: '', name: namespace })
    return place?.metadata.labels?.[mark] !== undefined
  }

  async #isServed(crd: KubeObject): Promise<boolean> {
    const { client, mapper } = this.#options.connection
    const live = await this.#live(crd)
    if (!live || findCondition(conditionsOf(live), 'Established')?.status !== 'True') return false
    mapper.refresh()
    const served = mappingsOfCrd(crd).filter((_, index) => versionsOf(crd)[index]?.served === true)
    try {
      for (const { gvk } of served) await client.list(gvk, { limit: 1 })
      return true
    } catch (error) {
      // It is established before every part of a server knows of it.
      if (error instanceof ApiError && error.httpStatus === 404) return false
      throw error
    }
  }

  #until(holds: () => Promise<boolean>): Promise<boolean> {
    const { clock, signal } = this.#options
    return untilHolds(holds, { clock, signal, patience: PATIENCE })
  }

  #live(crd: KubeObject): Promise<KubeObject | undefined> {
    return this.#options.connection.client.get(gvkOf(crd), keyOf(crd))
  }

  /** Where the CRD of the cluster is another one. `undefined`: it is the same, or there is none. */
  async #differenceFrom(crd: KubeObject): Promise<string | undefined> {
    const live = await this.#live(crd)
    if (!live || live.metadata.deletionTimestamp !== undefined) return undefined
    const wanted = await this.#asServerWouldHave(crd)
    const [first] = wanted
      ? jsonChanges(live.spec, wanted.spec, 1).map(({ field }) => field)
      : matchObject(crd.spec as JsonObject, live.spec as JsonObject, undefined).map(({ path }) => printPath(path))
    if (first === undefined) return undefined
    const isLeft = live.metadata.labels?.[this.#options.mark] !== undefined
    const hint = isLeft ? `; earlier tests have left it: \`kubectl delete crd ${crd.metadata.name}\` removes it` : ''
    return `the one of the cluster differs in spec.${first}${hint}`
  }

  /** With the defaults of the server. `undefined`: the user of the kubeconfig has no right to ask for that. */
  async #asServerWouldHave(crd: KubeObject): Promise<KubeObject | undefined> {
    const options = { fieldManager: FIELD_MANAGER, force: true, dryRun: true }
    try {
      return await this.#options.connection.client.apply(crd, options)
    } catch (error) {
      if (error instanceof ApiError && error.httpStatus === 403) return undefined
      throw error
    }
  }
}

function versionsOf({ spec }: KubeObject): readonly JsonObject[] {
  const versions = isJsonObject(spec) ? spec.versions : undefined
  return isJsonArray(versions) ? versions.filter(isJsonObject) : []
}
