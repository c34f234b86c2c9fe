import { explain } from '../../../core/base/coded-error.ts'
import { randomHex } from '../../../core/base/hash.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { Logger } from '../../../core/base/logger.ts'
import { orAborted } from '../../../core/base/or-aborted.ts'
import { isAlreadyExists, isConflict, isForbidden, isNotFound } from '../../../core/kube/api-error.ts'
import type { KubeClient } from '../../../core/kube/client.ts'
import { formatGroupKind, type GroupKind, type Gvk, parseGroupKind } from '../../../core/kube/group-version-kind.ts'
import { type LabelSelector, parseLabelSelector, printLabelSelector } from '../../../core/kube/label-selector.ts'
import type { KubeObject, ObjectKey } from '../../../core/kube/object.ts'
import type { ResourceMapper } from '../../../core/kube/resource-mapper.ts'
import { type Attempt, attempt } from '../apply/request-failure.ts'
import { FIELD_MANAGER } from './ownership.ts'

/** Name of the ConfigMap that holds the ledger, and of the Secret beside it. */
export const LEDGER_NAME = 'rolebook-ledger'

const CONFIG_MAP = { gvk: { group: '', version: 'v1', kind: 'ConfigMap' }, plural: 'configmaps' }
const SECRET = { gvk: { group: '', version: 'v1', kind: 'Secret' }, plural: 'secrets' }

/** What the ledger holds of one watched kind: what its roles have ever written, and the entries that it was worked with. */
export interface LedgerEntry {
  readonly own: readonly GroupKind[]
  readonly patch: readonly GroupKind[]
  /** Types of the conditions that `status` tasks have set. In an atomic list nothing else says whose a condition is. */
  readonly conditions: readonly string[]
  /** Selectors of the watch entries that may have written something. Empty if an earlier version did not record them. */
  readonly selectors: readonly LabelSelector[]
  /** Versions in which these entries see the resource. */
  readonly versions: readonly string[]
  /** Namespaces in which these entries watch resources; `*` is all. Empty if an earlier version did not record them. */
  readonly namespaces: readonly string[]
  /** Namespaces, besides that of the resource, in which these entries let their roles write; `*` is any. */
  readonly write: readonly string[]
  /** Other properties of these entries that matter once they are gone. Unknown words are kept and ignored. */
  readonly traits: readonly string[]
}

/** What the ledger remembers of entries, so that their resources can be cleaned up once the entries are gone. */
export type FormerEntries = Pick<LedgerEntry, 'selectors' | 'versions' | 'namespaces' | 'write' | 'traits'>

/** Traits: a role has `finalize` tasks; an entry leaves the conditions to its role (`manageStatus: false`). */
export const HAS_FINALIZE = 'finalize'
export const OWN_STATUS = 'ownStatus'

/** How many types of conditions are remembered. If there are more, they come from data and not from a role. */
const MAX_CONDITIONS = 100

/** The identity of this installation, and the key of its hashes. */
export interface Installation {
  /** `namespace/id`, as in the annotation `rolebook.dev/operator`. */
  readonly name: string
  readonly key: string
}

/**
 * The memory of an installation that outlives its process. It holds, by watched kind, the kinds and conditions that roles have ever
 * written, and the watch entries: their selectors, where they look, where they write. A kind in the ledger without an entry has lost it.
 *
 * A kind is recorded before the first object of it is written. So objects of a role that has dropped the kind are found after a restart.
 * This costs a write per role with something new, and none per resource.
 *
 * Several processes may write it, each for the resources of its shards. A write carries the version that was read, and is repeated on what
 * another process has written meanwhile.
 */
export class Ledger {
  readonly #client: KubeClient
  readonly #namespace: string
  readonly #entries = new SharedLoad((signal) => this.#read(signal))
  readonly #installation = new SharedLoad((signal) => this.#loadInstallation(signal))
  #writing: Promise<unknown> = Promise.resolve()
  #isThere = false
  /** The version of the ConfigMap as it was last seen. */
  #version: string | undefined

  constructor(client: KubeClient, namespace: string) {
    this.#client = client
    this.#namespace = namespace
  }

  async entryFor(watched: GroupKind, signal?: AbortSignal): Promise<LedgerEntry> {
    return (await this.#entries.get(signal)).get(formatGroupKind(watched)) ?? EMPTY_ENTRY
  }

  /** Adds to the entry of a kind. Sends nothing if nothing is new. */
  async record(watched: GroupKind, news: Partial<LedgerEntry>, signal?: AbortSignal): Promise<void> {
    await this.#change(watched, (known) => merge(known, news), signal)
  }

  /** Drops what only former watch entries had. Sends nothing if there is nothing to drop. */
  async keepEntries(watched: GroupKind, kept: FormerEntries, signal?: AbortSignal): Promise<void> {
    await this.#change(watched, (known) => reduced(known, kept), signal)
  }

  /** All kinds that are or were watched. */
  async watched(signal?: AbortSignal): Promise<readonly GroupKind[]> {
    return [...(await this.#entries.get(signal)).keys()].map(parseGroupKind)
  }

  /** Removes a kind that no entry names and whose resources have nothing left. */
  async forget(watched: GroupKind, signal?: AbortSignal): Promise<void> {
    const done = this.#writing.then(async () => {
      const entries = await this.#entries.get(signal)
      const name = formatGroupKind(watched)
      // It is deleted from memory first, so that what is recorded again meanwhile is sent even if this write fails.
      while (entries.delete(name) && this.#isThere) {
        if (await this.#write({ [name]: null }, signal)) return
        await this.#readAgain(entries, signal)
      }
    })
    this.#writing = done.catch(() => undefined)
    await orAborted(done, signal)
  }

  /** The identity of the installation. It is created on first use. */
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
    let changed = change(entries.get(name) ?? EMPTY_ENTRY)
    while (changed && !(await this.#write({ [name]: printEntry(changed) }, signal))) {
      await this.#readAgain(entries, signal)
      changed = change(entries.get(name) ?? EMPTY_ENTRY)
    }
    if (changed) entries.set(name, changed)
  }

  /** Returns false if the ConfigMap was written since it was read. */
  async #write(data: JsonObject, signal: AbortSignal | undefined): Promise<boolean> {
    try {
      const written = this.#isThere ? await this.#patch(data, signal) : await this.#create(CONFIG_MAP, data, signal)
      this.#note(written)
      return true
    } catch (error) {
      if (isConflict(error) || isAlreadyExists(error)) return false
      if (!(this.#isThere && isNotFound(error))) throw error
      this.#note(undefined)
      return this.#write(data, signal)
    }
  }

  #patch(data: JsonObject, signal: AbortSignal | undefined): Promise<KubeObject> {
    const metadata = this.#version === undefined ? undefined : { resourceVersion: this.#version }
    const body = { ...(metadata && { metadata }), data }
    const options = { fieldManager: FIELD_MANAGER, signal }
    return this.#attempt('patch', CONFIG_MAP, (gvk, key) =>
      this.#client.patch(gvk, key, { type: 'merge', body }, options),
    )
  }

  /** Notes the ConfigMap as it is; `undefined` if there is none. */
  #note(object: KubeObject | undefined): void {
    this.#isThere = object !== undefined
    this.#version = object?.metadata.resourceVersion
  }

  async #readAgain(entries: Map<string, LedgerEntry>, signal: AbortSignal | undefined): Promise<void> {
    const fresh = await this.#read(signal)
    entries.clear()
    for (const [kind, entry] of fresh) entries.set(kind, entry)
  }

  async #read(signal: AbortSignal | undefined): Promise<Map<string, LedgerEntry>> {
    const object = await this.#get(CONFIG_MAP, signal)
    const data = isJsonObject(object?.data) ? object.data : {}
    this.#note(object)
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

  #get(mapping: Mapping, signal: AbortSignal | undefined): Promise<KubeObject | undefined> {
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

/** Returns `undefined` if nothing changes. */
type Change = (known: LedgerEntry) => LedgerEntry | undefined

/** What is known of a kind that was never written. */
export const EMPTY_ENTRY: LedgerEntry = {
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
  if (isKnown(known, news)) return undefined
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

/** Before each write of an object nearly all news are known. */
function isKnown(known: LedgerEntry, news: Partial<LedgerEntry>): boolean {
  const are = <Part>(part: readonly Part[], added: readonly Part[] = [], textOf: (one: Part) => unknown): boolean =>
    added.every((one) => part.some((other) => textOf(other) === textOf(one)))
  const { own, patch, selectors, ...texts } = news
  return (
    are(known.own, own, formatGroupKind) &&
    are(known.patch, patch, formatGroupKind) &&
    are(known.selectors, selectors, printLabelSelector) &&
    TEXTS.every((part) => are(known[part], texts[part], (text) => text))
  )
}

const TEXTS = ['conditions', 'versions', 'namespaces', 'write', 'traits'] as const
const PARTS = ['own', 'patch', 'selectors', ...TEXTS] as const

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

/** Leaves out empty lists that an earlier version does not know. */
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

/** An entry that cannot be parsed counts as absent. What the present roles write is added again before they write it. */
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

/** A kind that a role writes objects of, or once did. */
export interface WrittenKind {
  readonly gvk: Gvk
  /** The present role does not write it any more; the ledger remembers it. */
  readonly isFormer: boolean
}

/** The kinds that only the ledger knows, if the server has them, then those of the role in the order of its tasks. */
export async function writtenKinds(
  present: readonly Gvk[],
  recorded: readonly GroupKind[],
  mapper: Pick<ResourceMapper, 'preferred'>,
): Promise<readonly WrittenKind[]> {
  const names = new Set(present.map(formatGroupKind))
  const former: WrittenKind[] = []
  for (const kind of recorded) {
    const gvk = names.has(formatGroupKind(kind)) ? undefined : await mapper.preferred(kind)
    if (gvk) former.push({ gvk, isFormer: true })
  }
  return [...former, ...present.map((gvk) => ({ gvk, isFormer: false }))]
}

/** Reads objects of written kinds. The right to read a former kind may have ended with the role that needed it. */
export class WrittenKindReader {
  readonly #logger: Logger
  /** Kinds that were reported as forbidden. */
  readonly #reported = new Set<string>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** Returns nothing for a kind that is not served, or for a former kind that is forbidden. The latter is logged once. */
  async read(
    { gvk, isFormer }: WrittenKind,
    look: (gvk: Gvk) => Promise<readonly KubeObject[]>,
  ): Promise<readonly KubeObject[]> {
    try {
      return await look(gvk)
    } catch (error) {
      if (isNotFound(error)) return []
      if (!isFormer || !isForbidden(error)) throw error
      this.#warn(formatGroupKind(gvk), error)
      return []
    }
  }

  #warn(kind: string, error: unknown): void {
    if (this.#reported.has(kind)) return
    this.#reported.add(kind)
    const remedy = 'if something may be left, grant `list` and `watch` of the kind and restart the operator'
    const message = `cannot look for what a former role made or patched: its kind may not be read any more (${remedy})`
    this.#logger.warn(message, { kind, error: explain(error) })
  }
}

/**
 * A value that is loaded once for all callers, and remembered.
 *
 * A caller may stop waiting. If no caller waits any more, the load is aborted. After a failed or aborted load, the next call starts a new
 * one.
 */
export class SharedLoad<T> {
  readonly #load: (signal: AbortSignal) => Promise<T>
  #loaded: { readonly value: T } | undefined
  #loading: Loading<T> | undefined

  constructor(load: (signal: AbortSignal) => Promise<T>) {
    this.#load = load
  }

  /** Rejects with the signal's reason when it aborts. */
  async get(signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    if (this.#loaded) return this.#loaded.value
    this.#loading ??= this.#begin()
    const loading = this.#loading
    loading.waiting++
    try {
      return await orAborted(loading.value, signal)
    } finally {
      loading.waiting--
      if (loading.waiting === 0) this.#end(loading)
    }
  }

  #begin(): Loading<T> {
    const abort = new AbortController()
    const value = this.#load(abort.signal).then((loaded) => {
      this.#loaded = { value: loaded }
      return loaded
    })
    return { value, abort, waiting: 0 }
  }

  #end(loading: Loading<T>): void {
    this.#loading = undefined
    loading.abort.abort(new Error('no caller waits for it any more'))
  }
}

interface Loading<T> {
  readonly value: Promise<T>
  readonly abort: AbortController
  waiting: number
}
