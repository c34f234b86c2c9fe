import { conditionsOf, findCondition } from '../../src/core/kube/condition.ts'
import { formatGroupKind, gvkOf } from '../../src/core/kube/group-version-kind.ts'
import { formatKey, type KubeObject, keyOf } from '../../src/core/kube/object.ts'
import { secretValues } from '../../src/core/kube/secret-values.ts'
import { OWNER_ANNOTATION, OWNER_UID_LABEL } from '../../src/engine/reconcile/ownership/ownership.ts'
import type { ObjectEvent } from '../../src/sandbox/apiserver/object-api.ts'
import { contentText, maskedText } from './masked-object.ts'

/** A status of the resource, at the moment at which it could be seen. */
export interface StatusMoment {
  readonly uid: string
  readonly generation: number
  readonly observedGeneration: number
  /** Of the condition `Ready`. */
  readonly ready: string
  readonly since: string
  readonly message: string
  /** What the children were then. */
  readonly content: readonly string[]
}

/** Left out of what is compared: records, and what each cluster has. */
const UNSEEN_KINDS: ReadonlySet<string> = new Set(['Event', 'Lease', 'CustomResourceDefinition', 'Node', 'APIService'])
const LEDGER = 'rolebook-ledger'

export interface WitnessOptions {
  /** Shown as `default`. Defaults to that. */
  readonly namespace?: string | undefined
  /**
   * Whether nothing is compared but the resource and what the role asks for of its children: on a real server the rest is the
   * work of many controllers, which take their time. Defaults to false.
   */
  readonly ownOnly?: boolean | undefined
}

/** Sees every change of a cluster, and remembers what the oracles ask for. */
export class Witness {
  readonly objects = new Map<string, KubeObject>()
  /** How often each child was made and removed, as `Kind default/name`. */
  readonly created = new Map<string, number>()
  readonly deleted = new Map<string, number>()
  /** How often the value of a key of a Secret has become another one. */
  readonly changedValues = new Map<string, number>()
  readonly moments: StatusMoment[] = []
  /** Every value that a Secret has held. */
  readonly secrets = new Set<string>()
  /** What everybody may read: the status of the resource, and Events. */
  readonly published = new Set<string>()
  /** Of all Events. */
  readonly eventReasons = new Set<string>()
  readonly #resourceKind: string
  readonly #options: WitnessOptions
  readonly #prefixes = new Set<string>()
  readonly #masked = new WeakMap<KubeObject, string>()
  readonly #contents = new WeakMap<KubeObject, string>()

  /** @param resourceKind of the resource whose life it is, as `Kind.group` */
  constructor(resourceKind: string, options: WitnessOptions = {}) {
    this.#resourceKind = resourceKind
    this.#options = options
  }

  see({ type, object, old }: ObjectEvent): void {
    const name = this.#shown(nameOf(object))
    if (object.kind === 'Event') this.#seeEvent(object)
    if (UNSEEN_KINDS.has(object.kind)) return
    if (type === 'DELETED') this.objects.delete(name)
    else this.objects.set(name, object)
    const { generateName } = object.metadata
    if (generateName !== undefined) this.#prefixes.add(generateName)
    if (isOurs(object)) this.#count(type, name)
    if (object.kind === 'Secret') this.#seeSecret(object, old)
    if (type !== 'DELETED' && this.#isResource(object)) this.#seeStatus(object, old)
  }

  /** Everything there is, masked and sorted. */
  snapshot(): readonly string[] {
    if (this.#options.ownOnly) return [...this.content(), ...this.#resources()].sort()
    return [...this.objects.values()]
      .filter(isCompared)
      .map((object) => this.#maskedText(object))
      .sort()
  }

  /** Without what only other managers write. */
  #resources(): readonly string[] {
    return [...this.objects.values()]
      .filter((object) => this.#isResource(object))
      .map((object) => this.#maskedText({ ...object, metadata: { ...object.metadata, managedFields: [] } }))
  }

  #isResource(object: KubeObject): boolean {
    return formatGroupKind(gvkOf(object)) === this.#resourceKind
  }

  #shown(text: string): string {
    const { namespace } = this.#options
    return namespace === undefined ? text : text.replaceAll(namespace, 'default')
  }

  /** What the role has asked for, of the children that are there. */
  content(): readonly string[] {
    return [...this.objects.values()]
      .filter(isOurs)
      .map((object) => this.#contentText(object))
      .sort()
  }

  /** The object that is shown under a name, as `Kind default/name`. */
  find(name: string): KubeObject | undefined {
    return [...this.objects.values()].find((object) => this.#shown(nameOf(object)) === name)
  }

  /** Children whose owner is gone. */
  orphans(): readonly string[] {
    const uids = new Set([...this.objects.values()].map(({ metadata }) => metadata.uid))
    const isOrphan = ({ metadata }: KubeObject): boolean => !uids.has(metadata.labels?.[OWNER_UID_LABEL] ?? '')
    return [...this.objects.values()]
      .filter((object) => isOurs(object) && isOrphan(object))
      .map((object) => this.#shown(nameOf(object)))
  }

  #count(type: ObjectEvent['type'], name: string): void {
    const counts = type === 'ADDED' ? this.created : type === 'DELETED' ? this.deleted : undefined
    counts?.set(name, (counts.get(name) ?? 0) + 1)
  }

  #seeEvent({ note, message, reason }: KubeObject): void {
    this.published.add(JSON.stringify(note ?? message ?? ''))
    this.eventReasons.add(String(reason))
  }

  #seeSecret(object: KubeObject, old: KubeObject | undefined): void {
    if (object.metadata.name === LEDGER) return
    const before = new Map(old && secretValues(old))
    for (const [key, value] of secretValues(object)) {
      this.secrets.add(value)
      const name = `${this.#shown(nameOf(object))} ${key}`
      if (before.has(key) && before.get(key) !== value)
        this.changedValues.set(name, (this.changedValues.get(name) ?? 0) + 1)
    }
  }

  #seeStatus(object: KubeObject, old: KubeObject | undefined): void {
    if (object.status === old?.status || object.status === undefined) return
    this.published.add(JSON.stringify(object.status))
    const ready = findCondition(conditionsOf(object), 'Ready')
    const { uid = '', generation = 0 } = object.metadata
    const observed = (object.status as { readonly observedGeneration?: number }).observedGeneration ?? 0
    const { status = '', lastTransitionTime: since = '', message = '' } = ready ?? {}
    const content = status === 'True' ? this.content() : []
    this.moments.push({ uid, generation, observedGeneration: observed, ready: status, since, message, content })
  }

  #maskedText(object: KubeObject): string {
    const known = this.#masked.get(object)
    if (known !== undefined) return known
    const text = this.#shown(maskedText(object, this.#prefixes))
    this.#masked.set(object, text)
    return text
  }

  #contentText(object: KubeObject): string {
    const known = this.#contents.get(object)
    if (known !== undefined) return known
    const text = this.#shown(contentText(object, this.#prefixes))
    this.#contents.set(object, text)
    return text
  }
}

function nameOf(object: KubeObject): string {
  return `${object.kind} ${formatKey(keyOf(object))}`
}

/** Controllers copy the labels of a Service to what they make for it, and not its annotations. */
function isOurs({ metadata: { name, labels, annotations } }: KubeObject): boolean {
  return (
    labels?.[OWNER_UID_LABEL] !== undefined && annotations?.[OWNER_ANNOTATION] !== undefined && name !== 'bystander'
  )
}

function isCompared({ kind, metadata }: KubeObject): boolean {
  return !(kind === 'Secret' && metadata.name === LEDGER)
}
