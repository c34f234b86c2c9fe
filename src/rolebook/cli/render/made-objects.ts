import type { JsonObject } from '../../../core/base/json.ts'
import type { KubeClient } from '../../../core/kube/client.ts'
import { apiVersionOf, formatGvk, type Gvk, gvkOf } from '../../../core/kube/group-version-kind.ts'
import { formatKey, formatObject, type KubeObject, keyOf, type ObjectKey } from '../../../core/kube/object.ts'
import { LEDGER_NAME } from '../../../engine/reconcile/ownership/ledger.ts'
import { MARKS_PREFIX, OWNER_ANNOTATION } from '../../../engine/reconcile/ownership/ownership.ts'
import { shownObject, type WriteListener } from '../../../engine/reconcile/trace/run-tracer.ts'
import { inOrderOfPlaces } from '../../../engine/role/run/run-context.ts'
import type { TracedTaskSource } from '../../../engine/role/run/task-tracer.ts'
import { AllSecrets } from '../../../engine/role/secrecy/run-secrecy.ts'
import { Secrecy } from '../../../engine/role/secrecy/secrecy.ts'

export type Action = 'makes' | 'changes' | 'removes'

/** What one pass did to one object, as people may see it. */
export interface Change {
  readonly pass: number
  readonly action: Action
  /** `Deployment default/web` */
  readonly object: string
}

interface Done extends Omit<Change, 'object'> {
  readonly gvk: Gvk
  readonly key: ObjectKey
}

interface Made {
  readonly object: KubeObject
  readonly pass: number
}

/** An object as people may see it. */
export interface ShownObject {
  readonly object: KubeObject
  /** The task that wrote it last. */
  readonly task: TracedTaskSource | undefined
}

/** Remembers what a client applies and deletes, pass by pass. */
export class MadeObjects {
  readonly client: KubeClient
  /** The values that runs must hide, from the operator that uses the client. */
  readonly secrets = new AllSecrets()
  /** Those that begin now belong to it. */
  pass = 0
  /** What was read from Secrets, which is not for people to see. */
  readonly #secrecy = new Secrecy()
  readonly #made = new Map<string, Made>()
  readonly #done: Done[] = []
  /** By object: the task that wrote it last. */
  readonly #tasks = new Map<string, TracedTaskSource | undefined>()
  /** By object: where that task stands in its role. */
  readonly #places = new Map<string, string>()
  #isLast = false

  constructor(client: KubeClient) {
    this.client = {
      get: async (gvk, key, options) => {
        const object = await client.get(gvk, key, options)
        if (object && key.name !== LEDGER_NAME) this.#secrecy.hideSecret(object)
        return object
      },
      list: (gvk, options) => client.list(gvk, options),
      watch: (gvk, options) => client.watch(gvk, options),
      create: (object, options) => client.create(object, options),
      patch: (gvk, key, patch, options) => client.patch(gvk, key, patch, options),
      delete: (gvk, key, options) => {
        this.#forget(gvk, key)
        return client.delete(gvk, key, options)
      },
      apply: async (object, options) => {
        const applied = await client.apply(object, options)
        if (options.subresource === undefined) this.#remember(object)
        return applied
      },
    }
  }

  /** Called for each object that a task writes. */
  readonly onWritten: WriteListener = (written, task, place) => {
    const id = idOf(gvkOf(written.after), keyOf(written.after))
    this.#tasks.set(id, task)
    this.#places.set(id, place)
    this.secrets.onWritten(written, task)
  }

  /** What was done so far. */
  get changes(): readonly Change[] {
    const secrecy = this.#learned()
    return this.#done.map(({ pass, action, gvk, key }) => {
      const object = { apiVersion: apiVersionOf(gvk), kind: gvk.kind, metadata: key }
      return { pass, action, object: formatObject(this.#shown(object, secrecy)) }
    })
  }

  /**
   * In the order of the passes, of their owners' names, and of the tasks.
   *
   * @param marks whether the engine's labels, annotations and owner references are shown
   */
  shown(marks: boolean): readonly ShownObject[] {
    const placed = [...this.#made].map(([id, one]) => ({ ...one, place: this.#places.get(id) }))
    const made = inOrderOfPlaces(placed).toSorted((left, right) => left.pass - right.pass || byOwner(left, right))
    const secrecy = this.#learned()
    return made.map(({ object }) => ({
      object: this.#shown(marks ? object : withoutMarks(object), secrecy),
      task: this.#taskOf(object),
    }))
  }

  /** What was made so far is left out of the print; from now on, what is removed again stays in it. */
  beginLast(): void {
    this.#made.clear()
    this.#isLast = true
  }

  #remember(object: KubeObject): void {
    const id = idOf(gvkOf(object), keyOf(object))
    const known = this.#made.get(id)
    const { resourceVersion: _version, ...metadata } = object.metadata
    this.#made.set(id, { object: { ...object, metadata }, pass: known?.pass ?? this.pass })
    this.#record(known ? 'changes' : 'makes', gvkOf(object), keyOf(object))
  }

  #forget(gvk: Gvk, key: ObjectKey): void {
    const id = idOf(gvk, key)
    if (!this.#isLast) this.#made.delete(id)
    this.#record('removes', gvk, key)
  }

  #record(action: Action, gvk: Gvk, key: ObjectKey): void {
    this.#done.push({ pass: this.pass, action, gvk, key })
  }

  #shown(object: KubeObject, secrecy: Secrecy): KubeObject {
    return shownObject(object, { secrecy, task: this.#taskOf(object) })
  }

  #taskOf(object: KubeObject): TracedTaskSource | undefined {
    return this.#tasks.get(idOf(gvkOf(object), keyOf(object)))
  }

  /** With what the runs have hidden and shown until now. */
  #learned(): Secrecy {
    this.#secrecy.hide([...this.secrets.texts])
    for (const name of this.secrets.roleNames) this.#secrecy.show(name)
    return this.#secrecy
  }
}

function idOf(gvk: Gvk, key: ObjectKey): string {
  return `${formatGvk(gvk)} ${formatKey(key)}`
}

/** Resources are worked on at once: which comes first is chance. */
function byOwner({ object: left }: Made, { object: right }: Made): number {
  const ownerOf = ({ metadata }: KubeObject): string => metadata.annotations?.[OWNER_ANNOTATION] ?? ''
  return ownerOf(left) < ownerOf(right) ? -1 : ownerOf(left) > ownerOf(right) ? 1 : 0
}

function withoutMarks({ apiVersion, kind, metadata, ...object }: KubeObject): KubeObject {
  const { labels, annotations, ownerReferences: _owners, uid: _uid, ...rest } = metadata
  const shown = { ...rest, ...othersIn('labels', labels), ...othersIn('annotations', annotations) }
  return { apiVersion, kind, metadata: shown, ...object }
}

function othersIn(field: string, map: Readonly<Record<string, string>> = {}): JsonObject {
  const others = Object.entries(map).filter(([key]) => !key.startsWith(MARKS_PREFIX))
  return others.length === 0 ? {} : { [field]: Object.fromEntries(others) }
}
