import type { Clock } from '../../../core/base/clock.ts'
import { explain } from '../../../core/base/coded-error.ts'
import { isConflict } from '../../../core/kube/api-error.ts'
import { conditionsOf } from '../../../core/kube/condition.ts'
import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import { formatKey, type KubeObject, keyOf } from '../../../core/kube/object.ts'
import type { Connection } from '../../../core/kube-client/connect.ts'
import type { Project } from '../../../engine/operator/project.ts'
import type { MadeObject, OwnObjects } from './own-objects.ts'
import { readObjects } from './read-objects.ts'
import { untilHolds } from './until-holds.ts'

export interface RemovalOptions {
  readonly connection: Connection
  readonly project: Project
  readonly own: OwnObjects
  readonly clock: Clock
  /** Milliseconds for the operator to be done with the resources. */
  readonly timeout: number
}

/** Milliseconds for the server to be done with the rest. */
const PATIENCE = 90_000
const NO_FINALIZERS = { type: 'merge', body: { metadata: { finalizers: null } } } as const
const FIELD_MANAGER = 'rolebook-test'

/** Takes away all that a test has made on a cluster. Never rejects: it says what is left. */
export class Removal {
  readonly #options: RemovalOptions
  readonly #left: string[] = []

  constructor(options: RemovalOptions) {
    this.#options = options
  }

  /** Deletes what roles look after, and waits until their operator has let it go. */
  async removeResources(): Promise<void> {
    await this.#attempt('resources of the test', async () => {
      const { client } = this.#options.connection
      for (const one of await this.#resources()) await client.delete(gvkOf(one), keyOf(one), BACKGROUND)
      await this.#until(async () => (await this.#resources()).length === 0, this.#options.timeout)
    })
  }

  /** Removes everything else, once the operator has ended. Returns what is left. */
  async removeRest(): Promise<readonly string[]> {
    const { made } = this.#options.own
    await this.#attempt('finalizers of resources of the test', () => this.#releaseResources())
    for (const one of [...made].reverse()) await this.#attempt(nameOf(one), () => this.#delete(one))
    const isGone = async (): Promise<boolean> => (await this.#remaining(made)).length === 0
    await this.#attempt('the objects of the test', () => this.#until(isGone, PATIENCE))
    for (const one of await this.#remaining(made).catch(() => made)) this.#left.push(await this.#describe(one))
    return [...new Set(this.#left)]
  }

  /** Takes off the finalizers for which no operator is there any more. */
  async #releaseResources(): Promise<void> {
    const { client } = this.#options.connection
    for (const one of await this.#resources()) {
      if ((one.metadata.finalizers ?? []).length === 0) continue
      await client.patch(gvkOf(one), keyOf(one), NO_FINALIZERS, { fieldManager: FIELD_MANAGER })
    }
  }

  async #delete({ gvk, key, uid }: MadeObject): Promise<void> {
    try {
      await this.#options.connection.client.delete(gvk, key, { ...BACKGROUND, uid })
    } catch (error) {
      // Another object has its name by now: ours is gone.
      if (!isConflict(error)) throw error
    }
  }

  /** With what keeps it there, if the server says so. */
  async #describe({ gvk, key }: MadeObject): Promise<string> {
    const live = await this.#options.connection.client.get(gvk, key).catch(() => undefined)
    const reasons = live
      ? conditionsOf(live).flatMap(({ status, message }) => (status === 'True' && message ? message : []))
      : []
    return [nameOf({ gvk, key }), ...reasons].join(': ')
  }

  async #remaining(made: readonly MadeObject[]): Promise<readonly MadeObject[]> {
    const { client } = this.#options.connection
    const live = await Promise.all(made.map(({ gvk, key }) => client.get(gvk, key)))
    return made.filter(({ uid }, index) => {
      const found = live[index]
      return found !== undefined && (uid === undefined || found.metadata.uid === uid)
    })
  }

  async #resources(): Promise<readonly KubeObject[]> {
    const { project, connection, own } = this.#options
    const options = { connection, namespaces: own.namespaces }
    return (await Promise.all(project.watches.map(({ watch }) => readObjects(watch.gvk, options)))).flat()
  }

  #until(holds: () => Promise<boolean>, patience: number): Promise<boolean> {
    return untilHolds(holds, { clock: this.#options.clock, patience })
  }

  async #attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#left.push(`${what}: ${explain(error)}`)
    }
  }
}

function nameOf({ gvk, key }: MadeObject): string {
  return `${gvk.kind} ${formatKey(key)}`
}

const BACKGROUND = { propagationPolicy: 'Background' } as const
