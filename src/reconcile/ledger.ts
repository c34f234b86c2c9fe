import { randomHex } from '../base/hash.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { orAborted } from '../base/or-aborted.ts'
import { isAlreadyExists, isNotFound } from '../kube/api-error.ts'
import type { KubeClient } from '../kube/client.ts'
import { formatGroupKind, type GroupKind, type Gvk, parseGroupKind } from '../kube/group-version-kind.ts'
import { type LabelSelector, parseLabelSelector, printLabelSelector } from '../kube/label-selector.ts'
import type { KubeObject, ObjectKey } from '../kube/object.ts'
import { FIELD_MANAGER } from './marks.ts'
import { type Attempt, attempt } from './request-failure.ts'
import { SharedLoad } from './shared-load.ts'

/** Name of the ConfigMap that holds the ledger, and of the Secret beside it. */
export const LEDGER_NAME = 'rolebook-ledger'

const CONFIG_MAP = { gvk: { group: '', version: 'v1', kind: 'ConfigMap' }, plural: 'configmaps' }
const SECRET = { gvk: { group: '', version: 'v1', kind: 'Secret' }, plural: 'secrets' }

/** What the roles of one watched kind have ever made, and for which resources. */
export interface LedgerEntry {
  readonly own: readonly GroupKind[]
  readonly patch: readonly GroupKind[]
  /** Types of the conditions that `status` tasks set: in an atomic list nothing else says whose they are. */
  readonly conditions: readonly string[]
  /** Of the watch entries that resources of the kind may have something from. None where nobody has recorded them yet. */
  readonly selectors: readonly LabelSelector[]
  /** In which these entries see the resource. */
  readonly versions: readonly string[]
  /** Namespaces in which these entries look for resources; `*` is all. None: an earlier version has not recorded them. */
  readonly namespaces: readonly string[]
  /** Namespaces besides that of a resource in which these entries let their roles write; `*` is any. */
  readonly write: readonly string[]
  /** What else is to be known of these entries once they are gone. A word that is not understood is kept, and means nothing. */
  readonly traits: readonly string[]
}

/** What the ledger remembers of the entries of a kind, so that it can be served once they are gone. */
export type FormerEntries = Pick<LedgerEntry, 'selectors' | 'versions' | 'namespaces' | 'write' | 'traits'>

/** Traits: some role has `finalize` tasks; some entry leaves the conditions to its role (`manageStatus: false`). */
export const HAS_FINALIZE = 'finalize'
export const OWN_STATUS = 'ownStatus'

/** So many types of conditions are remembered: more come from data, not from a role. */
const MAX_CONDITIONS = 100

/** What tells this installation from others, and the key of its hashes. */
export interface Installation {
  /** `namespace/id`, as in the annotation `rolebook.dev/operator`. */
  readonly name: string
  readonly key: string
}

/**
 * The memory of an installation that outlives its process: kinds of children and conditions ever made, by watched kind,
 * and the entries that were worked with: their selectors, where they look, where they write. A kind that stands here and has
 * no entry has lost it.
 *
 * A kind stands here before the first object of it is written, so that objects of a role that has dropped the kind are found
 * after a restart. One write per role with news, none per resource.
 */
export class Ledger {
  readonly #client: KubeClient
  readonly #namespace: string
  readonly #entries = new SharedLoad((signal) => this.#read(signal))
  readonly #installation = new SharedLoad((signal) => this.#loadInstallation(signal))
  #writing: Promise<unknown> = Promise.resolve()
  #isThere = false

  constructor(client: KubeClient, namespace: string) {
    this.#client = client
    this.#namespace = namespace
  }

  async entryFor(watched: GroupKind, signal?: AbortSignal): Promise<LedgerEntry> {
    return (await this.#entries.get(signal)).get(formatGroupKind(watched)) ?? EMPTY
  }

  /** Makes sure that all of this stands in the ledger. Sends nothing when it does. */
  async record(watched: GroupKind, news: Partial<LedgerEntry>, signal?: AbortSignal): Promise<void> {
    await this.#change(watched, (known) => merge(known, news), signal)
  }

  /** Drops what only entries of before had. Sends nothing when there is none. */
  async keepEntries(watched: GroupKind, kept: FormerEntries, signal?: AbortSignal): Promise<void> {
    await this.#change(watched, (known) => reduced(known, kept), signal)
  }

  /** All kinds that are, or were, watched. */
  async watched(signal?: AbortSignal): Promise<readonly GroupKind[]> {
    return [...(await this.#entries.get(signal)).keys()].map(parseGroupKind)
  }

  /** Nothing of the kind is left, and no entry names it. */
  async forget(watched: GroupKind, signal?: AbortSignal): Promise<void> {
    const done = this.#writing.then(async () => {
      const entries = await this.#entries.get(signal)
      const name = formatGroupKind(watched)
      // First: what is recorded again meanwhile is sent, whatever becomes of this write.
      if (entries.delete(name) && this.#isThere) await this.#write({ [name]: null }, signal)
    })
    this.#writing = done.catch(() => undefined)
    await orAborted(done, signal)
  }

  /** Made on first use. */
  installation(signal?: AbortSignal): Promise<Installation> {
    return this.#installation.get(signal)
  }

  async #change(watched: GroupKind, change: Change, signal: AbortSignal | undefined): Promise<void> {
    if (change(await this.entryFor(watched, signal)) === undefined) return
    const done = this.#writing.then(() => this.#writeChange(watched, change, signal))
    this.#writing = done.catch(() => undefined)
    await orAborted(done, signal)
  }

  async #writeChange(watched: GroupKind, change: Change, signal: AbortSignal | undefined): Promise<void> {
    const entries = await this.#entries.get(signal)
    const name = formatGroupKind(watched)
    const changed = change(entries.get(name) ?? EMPTY)
    if (!changed) return
    await this.#write({ [name]: printEntry(changed) }, signal)
    entries.set(name, changed)
  }

  async #write(data: JsonObject, signal: AbortSignal | undefined): Promise<void> {
    const options = { fieldManager: FIELD_MANAGER, signal }
    const create = (): Promise<KubeObject> => this.#create(CONFIG_MAP, data, signal)
    const patch = (): Promise<KubeObject> =>
      this.#attempt('patch', CONFIG_MAP, (gvk, key) =>
        this.#client.patch(gvk, key, { type: 'merge', body: { data } }, options),
      )
    const [likely, other] = this.#isThere ? [patch, create] : [create, patch]
    try {
      await likely()
    } catch (error) {
      // Somebody made or deleted it since it was read.
      if (!(isNotFound(error) || isAlreadyExists(error))) throw error
      await other()
    }
    this.#isThere = true
  }

  async #read(signal: AbortSignal): Promise<Map<string, LedgerEntry>> {
    const object = await this.#get(CONFIG_MAP, signal)
    const data = isJsonObject(object?.data) ? object.data : {}
    this.#isThere = object !== undefined
    const entries = Object.entries(data).map(([kind, text]) => [kind, parseEntry(String(text))] as const)
    return new Map(entries.flatMap(([kind, entry]) => (entry ? [[kind, entry]] : [])))
  }

  async #loadInstallation(signal: AbortSignal): Promise<Installation> {
    const secret = (await this.#get(SECRET, signal)) ?? (await this.#createSecret(signal))
    const data = isJsonObject(secret.data) ? secret.data : {}
    const [id, key] = [data.id, data.key].map((value) => Buffer.from(String(value ?? ''), 'base64').toString('utf8'))
    if (!id || !key)
      throw new Error(`cannot read Secret ${this.#namespace}/${LEDGER_NAME}: it has no \`id\` and \`key\``)
    return { name: `${this.#namespace}/${id}`, key }
  }

  async #createSecret(signal: AbortSignal): Promise<KubeObject> {
    const encoded = (text: string): string => Buffer.from(text, 'utf8').toString('base64')
    const data = { id: encoded(randomHex(8)), key: encoded(randomHex(32)) }
    try {
      return await this.#create(SECRET, data, signal)
    } catch (error) {
      const winner = isAlreadyExists(error) ? await this.#get(SECRET, signal) : undefined
      if (winner) return winner
      throw error
    }
  }

  #get(mapping: Mapping, signal: AbortSignal): Promise<KubeObject | undefined> {
    return this.#attempt('get', mapping, (gvk, key) => this.#client.get(gvk, key, { signal }))
  }

  #create(mapping: Mapping, data: JsonObject, signal: AbortSignal | undefined): Promise<KubeObject> {
    return this.#attempt('create', mapping, ({ kind }, metadata) => {
      return this.#client.create({ apiVersion: 'v1', kind, metadata, data }, { fieldManager: FIELD_MANAGER, signal })
    })
  }

  #attempt<T>(verb: Attempt['verb'], mapping: Mapping, send: (gvk: Gvk, key: ObjectKey) => Promise<T>): Promise<T> {
    const key = { namespace: this.#namespace, name: LEDGER_NAME }
    return attempt({ verb, mapping, key, isOnlyName: true }, () => send(mapping.gvk, key))
  }
}

type Mapping = Attempt['mapping']

/** `undefined`: there is nothing new. */
type Change = (known: LedgerEntry) => LedgerEntry | undefined

const EMPTY: LedgerEntry = {
  own: [],
  patch: [],
  conditions: [],
  selectors: [],
  versions: [],
  namespaces: [],
  write: [],
  traits: [],
}

function merge(known: LedgerEntry, news: Partial<LedgerEntry>): LedgerEntry | undefined {
  const merged: LedgerEntry = {
    own: union(known.own, news.own),
    patch: union(known.patch, news.patch),
    conditions: [...new Set([...known.conditions, ...(news.conditions ?? [])])].slice(0, MAX_CONDITIONS),
    selectors: unionOfSelectors(known.selectors, news.selectors),
    versions: [...new Set([...known.versions, ...(news.versions ?? [])])],
    namespaces: [...new Set([...known.namespaces, ...(news.namespaces ?? [])])],
    write: [...new Set([...known.write, ...(news.write ?? [])])],
    traits: [...new Set([...known.traits, ...(news.traits ?? [])])],
  }
  return PARTS.some((part) => merged[part].length > known[part].length) ? merged : undefined
}

const PARTS = ['own', 'patch', 'conditions', 'selectors', 'versions', 'namespaces', 'write', 'traits'] as const

function union(known: readonly GroupKind[], added: readonly GroupKind[] = []): readonly GroupKind[] {
  const names = new Set([...known, ...added].map(formatGroupKind))
  return [...names].map(parseGroupKind)
}

function unionOfSelectors(known: readonly LabelSelector[], added: readonly LabelSelector[] = []) {
  const texts = new Set([...known, ...added].map(printLabelSelector))
  return [...texts].map(parseLabelSelector)
}

function reduced(known: LedgerEntry, kept: FormerEntries): LedgerEntry | undefined {
  const texts = new Set(kept.selectors.map(printLabelSelector))
  const entry: LedgerEntry = {
    ...known,
    selectors: known.selectors.filter((selector) => texts.has(printLabelSelector(selector))),
    versions: known.versions.filter((version) => kept.versions.includes(version)),
    namespaces: known.namespaces.filter((namespace) => kept.namespaces.includes(namespace)),
    write: known.write.filter((namespace) => kept.write.includes(namespace)),
    traits: known.traits.filter((trait) => kept.traits.includes(trait) || !TRAITS.includes(trait)),
  }
  return PARTS.some((part) => entry[part].length < known[part].length) ? entry : undefined
}

const TRAITS: readonly string[] = [HAS_FINALIZE, OWN_STATUS]

/** Lists that are empty are left out: an earlier version knows none of them. */
function printEntry({ own, patch, conditions, selectors, versions, namespaces, write, traits }: LedgerEntry): string {
  return JSON.stringify({
    own: own.map(formatGroupKind),
    patch: patch.map(formatGroupKind),
    conditions,
    selectors: selectors.map(printLabelSelector),
    ...(versions.length > 0 && { versions }),
    ...(namespaces.length > 0 && { namespaces }),
    ...(write.length > 0 && { write }),
    ...(traits.length > 0 && { traits }),
  })
}

/** What cannot be read counts as absent: what the present roles make is added again before it is written. */
function parseEntry(text: string): LedgerEntry | undefined {
  try {
    const entry: unknown = JSON.parse(text)
    if (!isJsonObject(entry)) return undefined
    const { own, patch, conditions, selectors, versions, namespaces, write, traits } = entry
    return {
      own: kindsIn(own),
      patch: kindsIn(patch),
      conditions: textsIn(conditions),
      selectors: textsIn(selectors).map(parseLabelSelector),
      versions: textsIn(versions),
      namespaces: textsIn(namespaces),
      write: textsIn(write),
      traits: textsIn(traits),
    }
  } catch {
    return undefined
  }
}

function kindsIn(value: JsonValue | undefined): readonly GroupKind[] {
  return textsIn(value).map(parseGroupKind)
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter((text) => typeof text === 'string') : []
}
