import { type Gvk, gvkOf, isSecret } from '../../../core/kube/group-version-kind.ts'
import { withoutCopy } from '../../../core/kube/last-applied.ts'
import { formatKey, type KubeObject, type ObjectKey } from '../../../core/kube/object.ts'
import { objectId } from '../../../core/kube/object-id.ts'
import { canOwn } from '../../../core/kube/owner-reference.ts'
import type { ResourceMapping } from '../../../core/kube/resource-mapper.ts'
import { checkReadable } from '../../role/run/check-readable.ts'
import {
  type EnsureOptions,
  inOrderOfPlaces,
  type ListQuery,
  type ObjectPort,
  type ObjectTarget,
  type PatchOptions,
  type TaskPlace,
  type WriteResult,
} from '../../role/run/run-context.ts'
import type { Secrecy } from '../../role/secrecy/secrecy.ts'
import { TaskFailure } from '../../role/task-outcome.ts'
import type { EngineOptions, RoleReconcilerOptions } from '../engine-options.ts'
import type { NamespaceRules, Owner } from '../ownership/ownership.ts'
import type { CacheQuery, Subscription } from '../reconciler-ports.ts'
import {
  childRead,
  foreignRead,
  listRead,
  objectRead,
  type Read,
  type RunInputs,
  type SecretReader,
} from '../run/run-inputs.ts'
import type { JudgedObject } from '../status/engine-conditions.ts'
import { TaskTrace, type Written } from '../trace/run-tracer.ts'
import { checkStays, isOrphaned, type ObjectApplier } from './apply-object.ts'
import { markObject, withGeneratedValues } from './desired-object.ts'
import type { ObjectPatcher } from './patch-object.ts'
import { attempt, isOfTerminatingNamespace } from './request-failure.ts'

/** What all runs share. */
export interface ObjectTools extends Pick<RoleReconcilerOptions, 'client' | 'mapper' | 'caches' | 'ledger'> {
  readonly applier: ObjectApplier
  readonly patcher: ObjectPatcher
  readonly secrets: SecretReader
  /** For values that are generated. */
  readonly random: NonNullable<EngineOptions['random']>
}

/** What belongs to one run. */
export interface RunScope {
  readonly owner: Owner
  readonly rules: NamespaceRules
  readonly inputs: RunInputs
  readonly secrecy: Secrecy
  readonly signal: AbortSignal
  /** Whether the run executes `finalize` tasks. */
  readonly isFinal: boolean
  /** Called with what a task at a place has written. */
  wrote(written: Written, place: string): void
  /** Called before each read, so that no change after the read is missed. */
  subscribe(subscription: Subscription): void
  /** Records the kinds of the role in the ledger. Called before each write. */
  recordKinds(): Promise<void>
  /**
   * Puts our finalizer on the resource, unless it is there. Called before each write of an object that outlives its owner, and also when
   * nothing is to be written, since another client may have removed the finalizer.
   */
  needFinalizer(): Promise<void>
}

/** An object that a task of a run has ensured or patched. */
export interface WrittenObject {
  readonly task: string
  /** Where the task stands in the role. */
  readonly place?: string | undefined
  readonly gvk: Gvk
  readonly key: ObjectKey
}

/** Objects by their ids. */
export function byId(objects: readonly WrittenObject[]): ReadonlyMap<string, WrittenObject> {
  return new Map(objects.map((object) => [objectId(object.gvk, object.key), object]))
}

/** What all tasks of a run have done to objects. */
class ObjectRecords {
  readonly written = new Map<string, WrittenObject>()
  readonly ensured = new ByPlace<WrittenObject>()
  readonly patched = new ByPlace<WrittenObject>()
  readonly judged = new ByPlace<JudgedObject & { readonly place: string }>()
  isRefused = false
}

/** What tasks have done, in the order of the role and not of time. */
class ByPlace<Item extends { readonly place?: string | undefined }> {
  readonly #items: Item[] = []
  #ordered: readonly Item[] | undefined

  push(item: Item): void {
    this.#items.push(item)
    this.#ordered = undefined
  }

  get ordered(): readonly Item[] {
    this.#ordered ??= inOrderOfPlaces([...this.#items])
    return this.#ordered
  }
}

/** The object port of one run, or of one of its tasks. It enforces the namespace rules and ownership, and records what is read and written. */
export class RunObjects implements ObjectPort {
  readonly #tools: ObjectTools
  readonly #run: RunScope
  readonly #records: ObjectRecords
  readonly #place: string
  /** Absent: nothing is traced. */
  readonly #trace: TaskTrace | undefined

  constructor(
    tools: ObjectTools,
    run: RunScope,
    records = new ObjectRecords(),
    { place, tracer }: TaskPlace = { place: '' },
  ) {
    this.#tools = tools
    this.#run = run
    this.#records = records
    this.#place = place
    this.#trace = tracer instanceof TaskTrace ? tracer : undefined
  }

  within(task: TaskPlace): RunObjects {
    return new RunObjects(this.#tools, this.#run, this.#records, task)
  }

  /** Whether a terminating namespace refused an object. Tasks must not wait for that object, since it will never exist. */
  get isRefused(): boolean {
    return this.#records.isRefused
  }

  /** What was ensured, in the order of the tasks in the role: what stands first does not depend on what stands behind it. */
  get ensured(): readonly WrittenObject[] {
    return this.#records.ensured.ordered
  }

  get patched(): readonly WrittenObject[] {
    return this.#records.patched.ordered
  }

  /** Notes an object as ensured that is left as it is. */
  keep(object: WrittenObject): void {
    this.#records.ensured.push(object)
  }

  async get({ gvk, name, namespace }: ObjectTarget): Promise<KubeObject | undefined> {
    const mapping = await this.#tools.mapper.mappingFor(gvk)
    const key = this.#run.rules.resolve(mapping, { name, namespace }, 'read')
    const [object] = await this.#read(objectRead(this.#tools, gvk, key), { mapping, key })
    this.#trace?.read(gvk, key, object !== undefined)
    return object && isSecret(gvk) ? this.#readSecret(object) : object
  }

  async list({ gvk, namespace, selector = {}, literalSelector = {} }: ListQuery): Promise<readonly KubeObject[]> {
    const mapping = await this.#tools.mapper.mappingFor(gvk)
    const namespaces = this.#namespacesOf(mapping, namespace)
    const place = { mapping, key: { namespace: namespaces?.[0] ?? '', name: '' } }
    const objects = await this.#read(listRead(this.#tools, gvk, { namespaces, selector, literalSelector }), place)
    this.#trace?.listed(gvk, objects.length)
    if (!isSecret(gvk)) return objects
    const read = await Promise.all(objects.map((object) => this.#readSecret(object)))
    return read.filter((object) => object !== undefined)
  }

  async ensure(
    written: KubeObject,
    { task, retain, generate = [], complete, again, ...policy }: EnsureOptions,
  ): Promise<WriteResult | undefined> {
    const { mapper, applier, ledger, caches, random } = this.#tools
    const { owner, rules, secrecy, isFinal, signal } = this.#run
    const gvk = gvkOf(written)
    const mapping = await mapper.mappingFor(gvk)
    const given = inScope(written, mapping)
    const key = rules.resolve(mapping, keyIn(given), 'write')
    if (!again) this.#claim(this.#records.ensured, { task, gvk, key })
    const owned = !retain && !isFinal && canOwn(owner.key, key)
    const installation = await ledger.installation(signal)
    const isMadeOnce = generate.length > 0 || complete !== undefined
    const isReadLive = (owned && (await this.#isOrphaned({ mapping, key }))) || isMadeOnce
    const seen = isReadLive ? await this.#readLive({ mapping, key }) : undefined
    const full = complete ? await complete(seen?.object) : given
    const manifest = seen && isMadeOnce ? withGeneratedValues(full, seen.object, { keys: generate, random }) : full
    // Values that the role itself gives are not hidden: the static check has followed them.
    secrecy.hideSecret(manifest, given)
    const { adoptFrom } = policy
    const desired = markObject(manifest, { key, owner, installation, owned, retain, adoptFrom, isFinal })
    const beforeWrite = (): Promise<void> => this.#beforeWrite(!owned)
    const tell = (written: Written): void => this.#wrote(written)
    const place = { mapping, owner, installation: installation.name, seen }
    try {
      const result = await applier.apply({ ...policy, ...place, desired, beforeWrite, tell, signal })
      if (!result.changed) this.#trace?.unchanged(result.object)
      secrecy.hideSecret(result.object, given)
      if (!owned) await this.#run.needFinalizer()
      this.#run.inputs.record(childRead(caches, gvk, key), [result.object])
      if (result.changed) this.#run.inputs.wrote(objectRead(this.#tools, gvk, key), result.object)
      return registered(result)
    } catch (error) {
      if (isFinal && isOfTerminatingNamespace(error)) {
        this.#records.isRefused = true
        return undefined
      }
      // The cache of children does not contain foreign objects, so a watch of its own must trigger the role when the object is deleted.
      if (error instanceof TaskFailure && error.reason === 'NameCollision') {
        const [foreign] = await this.#read(foreignRead(caches, gvk, key), { mapping, key })
        // It was deleted before the watch began, so no event will come.
        if (!foreign) throw new TaskFailure(error.reason, error.message, { retriable: true, cause: error })
      }
      throw error
    }
  }

  async patch(written: KubeObject, { task, force = false }: PatchOptions): Promise<WriteResult | undefined> {
    const { mapper, patcher, ledger } = this.#tools
    const { owner, rules, inputs, secrecy, signal } = this.#run
    const gvk = gvkOf(written)
    const mapping = await mapper.mappingFor(gvk)
    const manifest = inScope(written, mapping)
    const key = rules.resolve(mapping, keyIn(manifest), 'write')
    this.#claim(this.#records.patched, { task, gvk, key })
    const read = objectRead(this.#tools, gvk, key)
    const [live] = await this.#read(read, { mapping, key })
    if (!live) {
      this.#trace?.read(gvk, key, false)
      return undefined
    }
    const installation = await ledger.installation(signal)
    const beforeWrite = (): Promise<void> => this.#beforeWrite(true)
    const result = await patcher.patch({
      desired: manifest,
      live,
      mapping,
      owner,
      installation,
      beforeWrite,
      onWritten: (written) => this.#wrote(written),
      signal,
      force,
    })
    if (!result.changed) this.#trace?.unchanged(result.object)
    await this.#run.needFinalizer()
    inputs.record(read, [result.object])
    if (!isSecret(gvk)) return registered(result)
    secrecy.hideSecret(result.object, manifest)
    // Caches hold only the metadata of Secrets.
    const object = result.changed ? result.object : await this.#readSecret(result.object)
    return object && registered({ ...result, object })
  }

  async locate({ gvk, name, namespace = this.#run.owner.key.namespace }: ObjectTarget): Promise<ObjectKey> {
    const { namespaced } = await this.#tools.mapper.mappingFor(gvk)
    return { namespace: namespaced ? namespace : '', name }
  }

  reportReadiness(object: KubeObject, readiness: JudgedObject['readiness']): void {
    this.#records.judged.push({ object, readiness, place: this.#place })
  }

  /** The objects whose readiness was judged, redacted. */
  get judged(): readonly JudgedObject[] {
    return this.#records.judged.ordered.map((judged) => redactJudged(judged, this.#run.secrecy))
  }

  async #readSecret(metadata: KubeObject): Promise<KubeObject | undefined> {
    const secret = await this.#tools.secrets.read(metadata, this.#run.signal)
    if (secret) this.#run.secrecy.hideSecret(secret)
    return secret
  }

  #wrote(written: Written): void {
    this.#trace?.wrote(written, this.#place)
    this.#run.wrote(written, this.#place)
  }

  async #beforeWrite(outlivesOwner: boolean): Promise<void> {
    await this.#run.recordKinds()
    if (outlivesOwner) await this.#run.needFinalizer()
  }

  /** @throws TaskFailure when the child is orphaned because its owner is being deleted */
  async #isOrphaned({ mapping, key }: Place): Promise<boolean> {
    const { client, caches } = this.#tools
    const { owner, signal } = this.#run
    const child = await attempt({ verb: 'list', mapping, key }, () => caches.child(mapping.gvk, key))
    if (!child || !isOrphaned(child, owner)) return false
    await checkStays(client, owner, signal)
    return true
  }

  /** Reads the object from the server. */
  async #readLive({ mapping, key }: Place): Promise<{ readonly object: KubeObject | undefined }> {
    const { signal } = this.#run
    const get = (): Promise<KubeObject | undefined> => this.#tools.client.get(mapping.gvk, key, { signal })
    return { object: await attempt({ verb: 'get', mapping, key }, get) }
  }

  async #read(read: Read, place: Place): Promise<readonly KubeObject[]> {
    this.#run.subscribe(read.subscription)
    const seen = await attempt({ verb: 'list', ...place }, () => read.current())
    checkReadable(seen)
    this.#run.inputs.record(read, seen)
    return seen
  }

  /** @throws TaskFailure when another task writes the object, or there are too many objects */
  #claim(list: ByPlace<WrittenObject>, written: WrittenObject): void {
    const id = objectId(written.gvk, written.key)
    const { written: known } = this.#records
    const other = known.get(id)
    if (other) {
      const name = `${written.gvk.kind} ${formatKey(written.key)}`
      throw new TaskFailure(
        'Failed',
        `cannot write ${name}: two tasks write it, ${other.task} and ${written.task} (keep one)`,
      )
    }
    if (known.size >= MOST_OBJECTS) {
      throw new TaskFailure(
        'Failed',
        `cannot write another object: one resource has at most ${MOST_OBJECTS} objects (use several resources)`,
      )
    }
    known.set(id, written)
    list.push({ ...written, place: this.#place })
  }

  #namespacesOf(mapping: ResourceMapping, namespace: string | undefined): CacheQuery['namespaces'] {
    const { rules } = this.#run
    if (namespace === '*' && mapping.namespaced) return rules.reach('read')
    const key = rules.resolve(mapping, { name: '', namespace: namespace === '*' ? undefined : namespace }, 'read')
    return key.namespace === '' ? undefined : [key.namespace]
  }
}

/** How many objects one run may write. More would be a mistake in the role, or an attack. */
const MOST_OBJECTS = 5_000

/** The name of an object may be made of a Secret, so it is redacted. */
function redactJudged({ object, readiness }: JudgedObject, secrecy: Secrecy): JudgedObject {
  const { name = '', namespace = '' } = object.metadata
  const metadata = { ...object.metadata, name: secrecy.redact(name), namespace: secrecy.redact(namespace) }
  const shown = readiness.kind === 'ready' ? readiness : { ...readiness, message: secrecy.redact(readiness.message) }
  return { object: { ...object, metadata }, readiness: shown }
}

/** Removes the copy that `kubectl apply` leaves. No cache holds it, and what is registered must not depend on whether something was written. */
function registered(result: WriteResult): WriteResult {
  return { ...result, object: withoutCopy(result.object) }
}

interface Place {
  readonly mapping: ResourceMapping
  readonly key: ObjectKey
}

/** A cluster-scoped object without the namespace that a manifest may give it, as the API server stores it. */
function inScope(manifest: KubeObject, { namespaced }: ResourceMapping): KubeObject {
  if (namespaced || manifest.metadata.namespace === undefined) return manifest
  const { namespace: _, ...metadata } = manifest.metadata
  return { ...manifest, metadata }
}

/** The name and namespace of a manifest. The namespace is `undefined` if the manifest has none. */
function keyIn({ metadata: { name = '', namespace } }: KubeObject): { name: string; namespace: string | undefined } {
  return { name, namespace }
}
