import { hashJson } from '../../core/base/hash.ts'
import type { JsonObject } from '../../core/base/json.ts'
import { jsonChanges } from '../../core/base/json-changes.ts'
import type { Logger } from '../../core/base/logger.ts'
import type { KubeClient, WriteOptions } from '../../core/kube/client.ts'
import { dryRun } from '../../core/kube/client-decorators.ts'
import { formatGroupKind, type Gvk, gvkOf } from '../../core/kube/group-version-kind.ts'
import { formatKey, type KubeObject, keyOf, type ObjectKey } from '../../core/kube/object.ts'
import type { EngineOptions } from '../reconcile/engine-options.ts'
import { foreseeingAdoption } from '../reconcile/ownership/adoption.ts'
import { LEDGER_NAME } from '../reconcile/ownership/ledger.ts'
import { APPLIED_ANNOTATION } from '../reconcile/ownership/ownership.ts'
import { redactingLogger } from '../role/secrecy/redacting-logger.ts'
import type { RunSecrecy } from '../role/secrecy/run-secrecy.ts'
import { layered } from '../runtime/client-layers.ts'
import { counting } from '../runtime/counting-client.ts'

/** How many writes are remembered that were logged. */
const MAX_LOGGED = 10_000

interface ClientOfProcessOptions extends Pick<EngineOptions, 'client' | 'logger' | 'metrics'> {
  readonly secrecy: RunSecrecy
  readonly dryRun?: boolean | undefined
}

/** The client of the whole process: its writes are counted, and in a dry run logged and not done. */
export function clientOfProcess({ metrics, ...options }: ClientOfProcessOptions): KubeClient {
  const logger = redactingLogger(options.logger, options.secrecy)
  return layered(options.client, {
    dryRun: options.dryRun ? (inner) => dryRunClient(inner, logger) : undefined,
    metrics: metrics && ((inner) => counting(inner, metrics)),
  })
}

/**
 * A client for a dry run of the operator. Every write passes the whole pipeline of the server as a dry run, and what it would do is logged
 * once for each state of the object. Values are not logged, since they may be secret. The ledger and events, which say what was done, are not
 * sent.
 *
 * The operator goes on as if its writes had happened. A task that waits for another controller waits.
 */
export function dryRunClient(client: KubeClient, logger: Logger): KubeClient {
  const dry = dryRun(foreseeingAdoption(client))
  const log = new DryRunLog(logger)
  const before = (gvk: Gvk, key: ObjectKey, { signal }: WriteOptions): Promise<KubeObject | undefined> =>
    client.get(gvk, key, { signal })
  return {
    ...dry,
    async create(object, options) {
      if (isUnsent(gvkOf(object), keyOf(object))) return object
      const after = await dry.create(object, options)
      log.logChange(gvkOf(object), { after })
      return after
    },
    async apply(object, options) {
      const gvk = gvkOf(object)
      if (options.dryRun) return client.apply(object, options)
      const change = { before: await before(gvk, keyOf(object), options), after: await dry.apply(object, options) }
      log.logChange(gvk, change, options.subresource)
      return change.after
    },
    async patch(gvk, key, patch, options) {
      if (isUnsent(gvk, key)) return { apiVersion: 'v1', kind: gvk.kind, metadata: { ...key } }
      const change = { before: await before(gvk, key, options), after: await dry.patch(gvk, key, patch, options) }
      log.logChange(gvk, change, options.subresource)
      return change.after
    },
    async delete(gvk, key, options) {
      const live = await dry.delete(gvk, key, options)
      if (live) log.logRemoval(gvk, live)
      return live
    },
  }
}

interface Change {
  /** Absent: the object would be created. */
  readonly before?: KubeObject | undefined
  readonly after: KubeObject
}

function isUnsent({ group, kind }: Gvk, { name }: ObjectKey): boolean {
  return (group === 'events.k8s.io' && kind === 'Event') || (group === '' && name === LEDGER_NAME)
}

class DryRunLog {
  readonly #logger: Logger
  readonly #logged = new Set<string>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  logChange(gvk: Gvk, { before, after }: Change, subresource?: string): void {
    const object = { kind: formatGroupKind(gvk), object: formatKey(keyOf(after)) }
    const version = before?.metadata.resourceVersion
    const state = { after: contentOf(after), version, subresource }
    if (!before) {
      this.#once('dry run: would create', object, state)
      return
    }
    const fields = jsonChanges(contentOf(before), state.after).map(({ field }) => field)
    const change = { ...object, ...(subresource && { subresource }), fields }
    if (fields.length > 0) this.#once('dry run: would change', change, state)
  }

  logRemoval(gvk: Gvk, removed: KubeObject): void {
    const object = { kind: formatGroupKind(gvk), object: formatKey(keyOf(removed)) }
    this.#once('dry run: would remove', object, { version: removed.metadata.resourceVersion })
  }

  /** Logs a line once. `what` distinguishes lines with the same text. */
  #once(message: string, fields: { readonly [name: string]: string | readonly string[] }, what: JsonObject): void {
    const text = hashJson([message, fields, what])
    if (this.#logged.has(text)) return
    if (this.#logged.size >= MAX_LOGGED) this.#logged.clear()
    this.#logged.add(text)
    this.#logger.info(message, fields)
  }
}

/** The object without the bookkeeping of the server and without the hash of our last apply. */
function contentOf(object: KubeObject): JsonObject {
  const { managedFields, resourceVersion, generation, uid, creationTimestamp, ...metadata } = object.metadata
  const annotations = Object.entries(metadata.annotations ?? {}).filter(
    ([name]) => !name.startsWith(APPLIED_ANNOTATION),
  )
  return { ...object, metadata: { ...metadata, annotations: Object.fromEntries(annotations) } }
}
