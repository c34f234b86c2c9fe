import { deepFreeze, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import { formatGvk, type Gvk, gvkOf, isSecret } from '../../core/kube/group-version-kind.ts'
import type { Chart, ChartSource, LookupQuery, RenderedObject, Rendering } from '../../core/kube/helm-chart.ts'
import { formatObject, type KubeObject } from '../../core/kube/object.ts'
import { ChartFailure } from '../chart/chart-failure.ts'
import type { Template } from '../expression/compile-template.ts'
import { dropNulls } from '../expression/drop-nulls.ts'
import type { ChartPort, RunContext } from '../role/run/run-context.ts'
import type { Secrecy } from '../role/secrecy/secrecy.ts'
import { TaskFailure, type TaskOutcome } from '../role/task-outcome.ts'
import { type HookRun, hooksOf, keepHooks, runHooks } from './chart-hooks.ts'
import { type HookPhase, nextRecord, printRecord, type ReleaseRecord, recordName } from './chart-release.ts'
import { isReadyAwaited, judgeReadiness } from './judge-readiness.ts'
import { withData } from './secret-data.ts'
import { checkName } from './target-object.ts'

/** A chart task, compiled. */
export interface CompiledChart {
  readonly source: ChartSource | undefined
  /** What it may make. */
  readonly kinds: readonly Gvk[]
  /** What its templates may look up. */
  readonly lookups: readonly Gvk[]
  /** Absent: the spec of the resource. */
  readonly values?: Template | undefined
  readonly releaseName?: Template | undefined
  readonly namespace?: Template | undefined
  readonly retained: boolean
}

/** Longer ones would not fit a condition; the first lines and the last say most. */
const LONGEST_MESSAGE = 1_500
const LONGEST_NAME = 53
const KEEP = 'helm.sh/resource-policy'

/** One release of a chart, in one run. */
export async function runChart(task: CompiledChart, context: RunContext): Promise<TaskOutcome> {
  const { charts } = context
  if (!charts) throw new TaskFailure('Failed', 'charts cannot be rendered here')
  try {
    return await new ChartRun(task, context, charts).run()
  } catch (error) {
    throw error instanceof ChartFailure ? toTaskFailure(error, context.scope.secrecy) : error
  }
}

class ChartRun {
  readonly #task: CompiledChart
  readonly #context: RunContext
  readonly #charts: ChartPort
  readonly #name: string
  readonly #namespace: string | undefined
  readonly #values: JsonObject

  constructor(task: CompiledChart, context: RunContext, charts: ChartPort) {
    const { scope } = context
    this.#task = task
    this.#context = context
    this.#charts = charts
    const { metadata, spec } = scope.input as { readonly metadata: KubeObject['metadata']; readonly spec?: JsonValue }
    const name = task.releaseName ? task.releaseName.render(scope) : metadata.name
    checkName(name, 'releaseName')
    if (name.length > LONGEST_NAME) throw invalid(`the release name "${name}" has more than ${LONGEST_NAME} characters`)
    this.#name = name
    const namespace = task.namespace?.render(scope)
    if (namespace !== undefined) checkName(namespace, 'namespace')
    this.#namespace = namespace
    const values = task.values ? task.values.render(scope) : (spec ?? {})
    if (!isJsonObject(values)) throw invalid('`values` is not an object')
    this.#values = values
  }

  async run(): Promise<TaskOutcome> {
    const chart = await this.#charts.loadChart(this.#task.source as ChartSource)
    const { record, rendering } = await this.#render(chart)
    const { hooks } = rendering
    if (this.#charts.isFinal) return this.#runDeleteHooks({ hooks, record })
    const before = await this.#runPhase('pre', { hooks, record })
    if ('held' in before) return before.held
    const crds = await this.#ensureAll(rendering.crds, { retain: true })
    const made = await this.#ensureAll(rendering.manifests, {})
    const after = await this.#runPhase('post', { hooks, record: before.record })
    if ('held' in after) return after.held
    const live = [...crds, ...made]
    const held = this.#judge(live.map(({ object }) => object))
    if (held) return held
    const objects = live.map(({ object }) => object as JsonValue)
    const value = { name: this.#name, chartVersion: chart.version, appVersion: chart.appVersion, objects }
    return { kind: live.some(({ changed }) => changed) ? 'changed' : 'unchanged', value: deepFreeze(dropNulls(value)) }
  }

  /** What is random is fixed before anything is made of it: the record is written first. */
  async #render(chart: Chart): Promise<{ readonly record: ReleaseRecord; readonly rendering: Rendering }> {
    const { clock } = this.#context
    const place = await this.#context.objects.locate({ ...SERVICE, name: this.#name, namespace: this.#namespace })
    const capabilities = await this.#charts.served()
    let made: { readonly record: ReleaseRecord; readonly rendering: Rendering } | undefined
    const complete = async (live: KubeObject | undefined): Promise<KubeObject> => {
      const record = nextRecord(live, { chart, values: this.#values, now: clock.now() })
      const { revision, draws, now } = record
      const release = { name: this.#name, namespace: place.namespace, revision }
      const request = { chart, values: this.#values, release, capabilities, draws, now, lookup: this.#lookup }
      const rendering = await this.#charts.render(request)
      made = { record: { ...record, draws: rendering.draws }, rendering }
      return this.#printRecord(made.record)
    }
    await this.#ensureRecord(this.#printRecord(NO_RECORD), { complete })
    if (!made) throw new TaskFailure('Failed', 'the namespace of the resource takes no release any more')
    for (const { value } of made.record.draws) this.#context.scope.secrecy.hide(value)
    return made
  }

  #printRecord(record: ReleaseRecord): KubeObject {
    return printRecord({ name: recordName(this.#name), namespace: this.#namespace }, record)
  }

  async #ensureRecord(
    object: KubeObject,
    more: { readonly complete?: (live: KubeObject | undefined) => Promise<KubeObject>; readonly again?: boolean },
  ): Promise<void> {
    await this.#context.objects.ensure(object, { task: this.#context.task, retain: false, adopt: 'never', ...more })
  }

  readonly #lookup = async ({ apiVersion, kind, namespace, name }: LookupQuery): Promise<JsonObject | undefined> => {
    const gvk = gvkOf({ apiVersion, kind })
    if (!this.#task.lookups.some((one) => formatGvk(one) === formatGvk(gvk))) return undefined
    const { objects } = this.#context
    try {
      if (name !== '') return (await objects.get({ gvk, name, ...(namespace && { namespace }) })) as JsonObject
      const items = await objects.list({ gvk, namespace: namespace || '*' })
      return { apiVersion, kind: `${kind}List`, metadata: {}, items: items as JsonValue }
    } catch (error) {
      // Where the watch entry lets the role read nothing, there is nothing.
      if (error instanceof TaskFailure && error.reason !== 'Failed') return undefined
      throw error
    }
  }

  async #ensureAll(
    rendered: readonly RenderedObject[],
    { retain = false }: { readonly retain?: boolean },
  ): Promise<{ readonly object: KubeObject; readonly changed: boolean }[]> {
    const { objects, modifiers, task, scope } = this.#context
    const made: { object: KubeObject; changed: boolean }[] = []
    for (const object of rendered.flatMap(({ object: one }) => flatten(one))) {
      const desired = await this.#prepare(object)
      // The content of a kind named Secret must not be shown, in any group.
      if (desired.kind === 'Secret') scope.secrecy.hideContent(desired)
      const isKept = desired.metadata.annotations?.[KEEP] === 'keep'
      const options = {
        task,
        retain: retain || modifiers.retain || isKept,
        adopt: 'never',
        drift: modifiers.drift,
      } as const
      const result = await objects.ensure(desired, options)
      if (result) made.push(result)
    }
    return made
  }

  /** The object as it is to be sent. @throws TaskFailure `Invalid` when the role does not say that the chart may make it */
  readonly #prepare = async (object: KubeObject): Promise<KubeObject> => {
    const { apiVersion, kind, metadata } = object
    if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !isJsonObject(metadata)) {
      throw invalid('the chart makes something without apiVersion, kind or metadata')
    }
    const gvk = gvkOf(object)
    if (!this.#task.kinds.some((one) => formatGvk(one) === formatGvk(gvk))) {
      throw invalid(`the chart makes a ${kind}: add ${apiVersion}/${kind} to the \`kinds\` of the task`)
    }
    if (metadata.generateName !== undefined) throw invalid(`the chart makes a ${kind} with \`generateName\``)
    const name: JsonValue | undefined = metadata.name
    checkName(name, 'metadata.name', gvk)
    const { stringData, ...plain } = object
    const full = isJsonObject(stringData) && isSecret(gvk) ? withEncodedData(plain as KubeObject, stringData) : object
    return { ...full, metadata: await this.#placed(gvk, { ...metadata, name }) }
  }

  /** As in Helm, an empty namespace means none, and a cluster-scoped object has none even if the chart names one. */
  async #placed(
    gvk: Gvk,
    { namespace: given, ...metadata }: JsonObject & { readonly name: string },
  ): Promise<KubeObject['metadata']> {
    const stated = given === '' ? this.#namespace : (given ?? this.#namespace)
    if (stated === undefined) return metadata
    checkName(stated, 'metadata.namespace')
    const { namespace } = await this.#context.objects.locate({ gvk, name: metadata.name, namespace: stated })
    return namespace === '' ? metadata : { ...metadata, namespace }
  }

  async #runPhase(
    phase: HookPhase,
    { hooks, record }: Pick<HookRun, 'hooks' | 'record'>,
  ): Promise<{ readonly record: ReleaseRecord } | { readonly held: TaskOutcome }> {
    const run = { hooks, record, phase, prepare: this.#prepare }
    if (!record.done.includes(phase)) {
      const held = await runHooks(run, this.#context)
      if (held) return { held }
    }
    const isNew = !record.done.includes(phase)
    const done = isNew ? { ...record, done: [...record.done, phase] } : record
    if (isNew && hooksOf(hooks, phase, record.revision).length > 0) {
      await this.#ensureRecord(this.#printRecord(done), { again: true })
    }
    await keepHooks(run, this.#context)
    return { record: done }
  }

  async #runDeleteHooks({ hooks, record }: Pick<HookRun, 'hooks' | 'record'>): Promise<TaskOutcome> {
    const before = await this.#runPhase('pre-delete', { hooks, record })
    if ('held' in before) return before.held
    const after = await this.#runPhase('post-delete', { hooks, record: before.record })
    return 'held' in after ? after.held : { kind: 'unchanged' }
  }

  #judge(live: readonly KubeObject[]): TaskOutcome | undefined {
    const { objects } = this.#context
    const judged = live.flatMap((object) => {
      const readiness = judgeReadiness(object, this.#context)
      return readiness ? [{ object, readiness }] : []
    })
    for (const { object, readiness } of judged) objects.reportReadiness(object, readiness)
    const isAwaited = judged.length > 0 && isReadyAwaited(this.#context)
    const held = isAwaited ? judged.find(({ readiness }) => readiness.kind !== 'ready') : undefined
    if (!held || held.readiness.kind === 'ready') return undefined
    const reason = `${formatObject(held.object)} is not ready: ${held.readiness.message}`
    if (held.readiness.kind === 'failed') throw new TaskFailure('Failed', reason)
    return { kind: 'waiting', reason }
  }
}

const SERVICE = { gvk: gvkOf({ apiVersion: 'v1', kind: 'Service' }) }
const NO_RECORD: ReleaseRecord = { revision: 0, digest: '', now: 0, draws: [], done: [] }

/** A list of objects is those objects, as for Helm. */
function flatten(object: JsonObject): readonly KubeObject[] {
  const { kind, items } = object
  const isList = typeof kind === 'string' && kind.endsWith('List') && isJsonArray(items)
  return isList ? items.filter(isJsonObject).flatMap(flatten) : [object as KubeObject]
}

/** `stringData` is write-only: sent as it is, drift of it could never be seen. */
function withEncodedData(secret: KubeObject, stringData: JsonObject): KubeObject {
  const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(String(text)).toString('base64')])
  return withData(secret, Object.fromEntries(encoded))
}

function invalid(message: string): TaskFailure {
  return new TaskFailure('Invalid', message)
}

/** The same chart fails in the same way again, unless the renderer itself has come to an end. */
function toTaskFailure(failure: ChartFailure, secrecy: Secrecy): TaskFailure {
  // A value that is cut would not be found any more.
  const message = secrecy.redact(failure.message)
  const half = LONGEST_MESSAGE / 2
  const cut = message.length > LONGEST_MESSAGE ? `${message.slice(0, half)} … ${message.slice(-half)}` : message
  return new TaskFailure('Invalid', cut, { retriable: failure.stage === 'engine', cause: failure })
}
