import type { JsonObject } from '../../core/base/json.ts'
import { type Gvk, gvkOf } from '../../core/kube/group-version-kind.ts'
import { matchesLabels } from '../../core/kube/label-selector.ts'
import { type KubeObject, keyOf, type ObjectKey } from '../../core/kube/object.ts'
import { objectId } from '../../core/kube/object-id.ts'
import type { ResourceMapping } from '../../core/kube/resource-mapper.ts'
import { withGeneratedValues } from '../../engine/reconcile/apply/desired-object.ts'
import type { NamespaceRules } from '../../engine/reconcile/ownership/ownership.ts'
import { mergeDeep } from '../../engine/role/functions/merge-deep.ts'
import type {
  EnsureOptions,
  ListQuery,
  ObjectPort,
  ObjectTarget,
  TaskPlace,
  WriteResult,
} from '../../engine/role/run/run-context.ts'
import { plausibleObject, settled } from './plausible-object.ts'
import type { TrialServer, Verdict } from './trial-server.ts'

/** What a task has sent, and what the server says to it. */
export interface Attempt {
  readonly place: string
  readonly access: 'ensure' | 'patch'
  readonly object: KubeObject
  readonly verdict: Verdict
}

/** What the runs of one trial share. */
export interface TrialWorld {
  readonly server: TrialServer
  readonly rules: NamespaceRules
  /** Whether what a role reads of others is there. */
  readonly hasOthers: boolean
  /** What others have made, as far as it is known: samples of the project. */
  readonly others: readonly KubeObject[]
  readonly attempts: Attempt[]
  /** By object: the place that has made it. */
  readonly made: Map<string, { readonly object: KubeObject; readonly place: string }>
  /** Places that have written an object that another place, or item of a loop, has written before. */
  readonly twice: { readonly place: string; readonly before: string; readonly object: KubeObject }[]
}

/** The object port of a trial run: every object is judged by the server, and none is refused to the role. */
export class TrialObjects implements ObjectPort {
  readonly #world: TrialWorld
  readonly #place: string

  constructor(world: TrialWorld, place = '') {
    this.#world = world
    this.#place = place
  }

  within({ place }: TaskPlace): ObjectPort {
    return new TrialObjects(this.#world, place)
  }

  async get(target: ObjectTarget): Promise<KubeObject | undefined> {
    const { gvk } = target
    const key = await this.locate(target)
    const own = this.#world.made.get(objectId(gvk, key))
    if (own) return own.object
    const other = this.#world.others.find((one) => objectId(gvkOf(one), keyOf(one)) === objectId(gvk, key))
    return other ?? (this.#world.hasOthers ? plausibleObject(gvk, key) : undefined)
  }

  async list({ gvk, namespace, selector = {} }: ListQuery): Promise<readonly KubeObject[]> {
    const objects = [...this.#world.made.values()].map(({ object }) => object)
    const found = [...objects, ...this.#world.others].filter(
      (object) =>
        object.kind === gvk.kind &&
        gvkOf(object).group === gvk.group &&
        matchesLabels(selector, object.metadata.labels),
    )
    if (found.length > 0 || !this.#world.hasOthers) return found
    const name = gvk.kind.toLowerCase()
    const key = await this.locate({ gvk, name, namespace: namespace === '*' ? 'default' : namespace })
    const other = plausibleObject(gvk, key)
    return [{ ...other, metadata: { ...other.metadata, labels: { ...selector.matchLabels } } }]
  }

  async ensure(given: KubeObject, options: EnsureOptions): Promise<WriteResult> {
    const { complete, generate = [], again = false } = options
    const whole = complete ? await complete(undefined) : given
    const manifest = generate.length > 0 ? withGeneratedValues(whole, undefined, { keys: generate, random }) : whole
    const object = this.#placed(manifest)
    const gvk = gvkOf(object)
    const id = objectId(gvk, keyOf(object))
    const before = this.#world.made.get(id)
    if (before && !again) this.#world.twice.push({ place: this.#place, before: before.place, object })
    const verdict = this.#judge(object)
    this.#world.attempts.push({ place: this.#place, access: 'ensure', object, verdict })
    const live = settled(verdict.object ?? object)
    this.#world.made.set(id, { object: live, place: this.#place })
    return { object: live, changed: true }
  }

  async patch(desired: KubeObject): Promise<WriteResult | undefined> {
    const object = this.#placed(desired)
    const target = { gvk: gvkOf(object), name: keyOf(object).name, namespace: object.metadata.namespace }
    const known = await this.get(target)
    if (!known) return undefined
    const merged = mergeDeep([known as JsonObject, object as JsonObject])
    const { status: _status, ...patched } = merged
    const verdict = this.#judge(patched as unknown as KubeObject)
    this.#world.attempts.push({ place: this.#place, access: 'patch', object, verdict })
    return { object: settled(merged as unknown as KubeObject), changed: true }
  }

  async locate({ gvk, name, namespace }: ObjectTarget): Promise<ObjectKey> {
    return this.#keyOf(gvk, { name, namespace }, 'read')
  }

  reportReadiness(): void {
    // Every object of a trial is as ready as it can be.
  }

  /** A kind that is not served is reported of the role: nothing is to be said of its objects. */
  #judge(object: KubeObject): Verdict {
    const isServed = this.#world.server.mappingOf(gvkOf(object)) !== undefined
    return isServed ? this.#world.server.judge(object) : { object, refusals: [], warnings: [] }
  }

  #placed(object: KubeObject): KubeObject {
    const { name = '', namespace } = object.metadata
    const key = this.#keyOf(gvkOf(object), { name, namespace }, 'write')
    const { namespace: _given, ...metadata } = object.metadata
    return {
      ...object,
      metadata: { ...metadata, name: key.name, ...(key.namespace !== '' && { namespace: key.namespace }) },
    }
  }

  #keyOf(gvk: Gvk, target: { name: string; namespace?: string | undefined }, access: 'read' | 'write'): ObjectKey {
    const { server, rules } = this.#world
    return rules.resolve(server.mappingOf(gvk) ?? unknownMapping(gvk), target, access)
  }
}

function unknownMapping(gvk: Gvk): ResourceMapping {
  return { gvk, plural: '', namespaced: true, subresources: [], verbs: [] }
}

function random(count: number): Uint8Array {
  return new Uint8Array(count)
}
