import { randomHex } from '../base/hash.ts'
import { isJsonArray, isJsonObject, type JsonObject } from '../base/json.ts'
import { isAlreadyExists, isNotFound } from '../kube/api-error.ts'
import type { KubeClient } from '../kube/client.ts'
import { formatGroupKind, type GroupKind, parseGroupKind } from '../kube/group-version-kind.ts'
import type { KubeObject } from '../kube/object.ts'
import { FIELD_MANAGER } from './marks.ts'

/** Name of the ConfigMap that holds the ledger, and of the Secret beside it. */
export const LEDGER_NAME = 'rolebook-ledger'

const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' } as const
const SECRET = { group: '', version: 'v1', kind: 'Secret' } as const

/** Which kinds one watched kind has ever made or patched. */
export interface LedgerEntry {
  readonly own: readonly GroupKind[]
  readonly patch: readonly GroupKind[]
}

/** What tells this installation from others, and the key of its hashes. */
export interface Installation {
  /** `namespace/id`, as in the annotation `rolebook.dev/operator`. */
  readonly name: string
  readonly key: string
}

/**
 * The memory of an installation that outlives its process: kinds of children ever made, by watched kind.
 *
 * A kind stands here before the first object of it is written, so that objects of a role that has dropped the kind are found
 * after a restart. One write per role with new kinds, none per resource.
 */
export class Ledger {
  readonly #client: KubeClient
  readonly #namespace: string
  #entries: Promise<Map<string, LedgerEntry>> | undefined
  #installation: Promise<Installation> | undefined
  #writing: Promise<unknown> = Promise.resolve()
  #isThere = false

  constructor(client: KubeClient, namespace: string) {
    this.#client = client
    this.#namespace = namespace
  }

  async entryFor(watched: GroupKind): Promise<LedgerEntry> {
    return (await this.#load()).get(formatGroupKind(watched)) ?? EMPTY
  }

  /** Makes sure that these kinds stand in the ledger. Sends nothing when they do. */
  record(watched: GroupKind, kinds: LedgerEntry, signal?: AbortSignal): Promise<void> {
    const done = this.#writing.then(() => this.#record(watched, kinds, signal))
    this.#writing = done.catch(() => undefined)
    return done
  }

  /** Made on first use. */
  installation(): Promise<Installation> {
    this.#installation ??= this.#loadInstallation().catch((error: unknown) => {
      this.#installation = undefined
      throw error
    })
    return this.#installation
  }

  async #record(watched: GroupKind, kinds: LedgerEntry, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    const entries = await this.#load()
    const name = formatGroupKind(watched)
    const known = entries.get(name) ?? EMPTY
    const merged = { own: union(known.own, kinds.own), patch: union(known.patch, kinds.patch) }
    if (merged.own.length === known.own.length && merged.patch.length === known.patch.length) return
    await this.#write({ [name]: printEntry(merged) }, signal)
    entries.set(name, merged)
  }

  async #write(data: JsonObject, signal: AbortSignal | undefined): Promise<void> {
    const key = { namespace: this.#namespace, name: LEDGER_NAME }
    const options = { fieldManager: FIELD_MANAGER, signal }
    const create = (): Promise<KubeObject> => this.#client.create(this.#object('ConfigMap', { data }), options)
    const patch = (): Promise<KubeObject> =>
      this.#client.patch(CONFIG_MAP, key, { type: 'merge', body: { data } }, options)
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

  #load(): Promise<Map<string, LedgerEntry>> {
    this.#entries ??= this.#read().catch((error: unknown) => {
      this.#entries = undefined
      throw error
    })
    return this.#entries
  }

  async #read(): Promise<Map<string, LedgerEntry>> {
    const object = await this.#client.get(CONFIG_MAP, { namespace: this.#namespace, name: LEDGER_NAME })
    const data = isJsonObject(object?.data) ? object.data : {}
    this.#isThere = object !== undefined
    return new Map(Object.entries(data).map(([kind, text]) => [kind, parseEntry(String(text))]))
  }

  async #loadInstallation(): Promise<Installation> {
    const secret = (await this.#readSecret()) ?? (await this.#createSecret())
    const data = isJsonObject(secret.data) ? secret.data : {}
    const [id, key] = [data.id, data.key].map((value) => Buffer.from(String(value ?? ''), 'base64').toString('utf8'))
    if (!id || !key)
      throw new Error(`cannot read Secret ${this.#namespace}/${LEDGER_NAME}: it has no \`id\` and \`key\``)
    return { name: `${this.#namespace}/${id}`, key }
  }

  #readSecret(): Promise<KubeObject | undefined> {
    return this.#client.get(SECRET, { namespace: this.#namespace, name: LEDGER_NAME })
  }

  async #createSecret(): Promise<KubeObject> {
    const encoded = (text: string): string => Buffer.from(text, 'utf8').toString('base64')
    const data = { id: encoded(randomHex(8)), key: encoded(randomHex(32)) }
    try {
      return await this.#client.create(this.#object('Secret', { data }), { fieldManager: FIELD_MANAGER })
    } catch (error) {
      const winner = isAlreadyExists(error) ? await this.#readSecret() : undefined
      if (winner) return winner
      throw error
    }
  }

  #object(kind: string, content: JsonObject): KubeObject {
    return { apiVersion: 'v1', kind, metadata: { name: LEDGER_NAME, namespace: this.#namespace }, ...content }
  }
}

const EMPTY: LedgerEntry = { own: [], patch: [] }

function union(known: readonly GroupKind[], added: readonly GroupKind[]): readonly GroupKind[] {
  const names = new Set([...known, ...added].map(formatGroupKind))
  return [...names].map(parseGroupKind)
}

function printEntry({ own, patch }: LedgerEntry): string {
  return JSON.stringify({ own: own.map(formatGroupKind), patch: patch.map(formatGroupKind) })
}

/** What cannot be read counts as empty: the kinds of the present roles are added again before they are written. */
function parseEntry(text: string): LedgerEntry {
  try {
    const entry: unknown = JSON.parse(text)
    return isJsonObject(entry) ? { own: kindsIn(entry.own), patch: kindsIn(entry.patch) } : EMPTY
  } catch {
    return EMPTY
  }
}

function kindsIn(value: unknown): readonly GroupKind[] {
  if (!isJsonArray(value)) return []
  return value.filter((name) => typeof name === 'string').map(parseGroupKind)
}
