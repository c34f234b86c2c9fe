import { sha256 } from '../../src/core/base/hash.ts'
import type { Gvk } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import type { Project } from '../../src/engine/operator/project.ts'
import { LEDGER_NAME } from '../../src/engine/reconcile/ownership/ledger.ts'
import { OCCASION_MS } from '../../src/engine/reconcile/status/engine-events.ts'
import type { Metrics } from '../../src/engine/runtime/metrics.ts'
import { printDiff } from '../../src/rolebook/cli/diff/print-diff.ts'
import { diffOf } from '../../src/rolebook/cli/diff/resource-diff.ts'
import { printRuns } from '../../src/rolebook/cli/explain/list-runs.ts'
import { printHistory } from '../../src/rolebook/cli/explain/print-history.ts'
import { printHeldUp, printObjects, printPasses } from '../../src/rolebook/cli/render/print-rendering.ts'
import { RenderCluster } from '../../src/rolebook/cli/render/render-cluster.ts'
import { renderPasses } from '../../src/rolebook/cli/render/render-passes.ts'
import { whatIf } from '../../src/rolebook/cli/what-if/what-if.ts'
import type { OperatorSandbox } from '../support/operator-sandbox.ts'
import { CONFIG_MAP, crd, WIDGET } from '../support/operator-sandbox.ts'
import type { RecordedLog } from '../support/secret-sinks.ts'

const EVENT: Gvk = { group: 'events.k8s.io', version: 'v1', kind: 'Event' }

export interface Sources {
  readonly sandbox: OperatorSandbox
  readonly log: RecordedLog
  readonly metrics: Metrics
}

/** Everything that an operator has published so far, by sink. */
export async function publishedInRound({ sandbox, log, metrics }: Sources): Promise<ReadonlyMap<string, string>> {
  const widgets = await sandbox.client.list(WIDGET)
  const events = await sandbox.client.list(EVENT)
  const configMaps = await sandbox.client.list(CONFIG_MAP)
  const ledgers = configMaps.items.filter(({ metadata }) => metadata.name === LEDGER_NAME)
  return new Map([
    ['status', textsIn(widgets.items)],
    ['events', textsIn(events.items.map(withoutHash))],
    ['ledger', textsIn(ledgers)],
    ['log', log.lines.join('\n')],
    ['reports and traces of runs', textsIn(sandbox.runs)],
    ['explain', explained(sandbox, printHistory)],
    ['history', explained(sandbox, printRuns)],
    ['metrics', withoutTimes((await metrics.expose()).text)],
    ['warnings', sandbox.warnings.join('\n')],
  ])
}

/** All texts, numbers and names of fields in a value, each on a line of its own: JSON would quote them once more. */
function textsIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([key, inner]) => `${key}: ${textsIn(inner)}`)
    .join('\n')
}

/** Metrics without the sums of measured times: eight of the digits of one may well be those of a canary. */
function withoutTimes(metrics: string): string {
  return metrics.replaceAll(/^(\w+_seconds_sum(?:\{.*\})?) [\d.e-]+$/gm, '$1 time')
}

/**
 * An event without the hash in its name, if that is a hash of what the event says: eight digits of it may by chance be
 * those of a canary.
 */
function withoutHash(event: KubeObject): KubeObject {
  const name = hashesOf(event).reduce((text, hash) => text.replace(`.${hash}`, '.hash'), event.metadata.name ?? '')
  return { ...event, metadata: { ...event.metadata, name } }
}

/** The hash that the name of an event of a role has, and the one of an event that the engine records once an occasion. */
function hashesOf(event: KubeObject): readonly string[] {
  const { regarding, type, reason, note, eventTime } = event as unknown as RecordedEvent
  const content = [regarding.uid, type, reason, note]
  const occasion = String(Math.floor(Date.parse(eventTime) / OCCASION_MS))
  return [content, [...content, occasion]].map((parts) => sha256(parts.join('\0')).slice(0, 16))
}

interface RecordedEvent {
  readonly regarding: { readonly uid: string }
  readonly type: string
  readonly reason: string
  readonly note: string
  readonly eventTime: string
}

function explained({ operator, runs }: OperatorSandbox, print: typeof printHistory): string {
  const histories = runs.flatMap(({ request }) => operator?.history.of(request) ?? [])
  return histories.map((history) => print(history, { color: false, runs: 20 })).join('\n')
}

/** What `rolebook render` prints, but for the marks of the engine: a hash in them may well hold eight digits of a canary. */
export async function renderInRound(
  { log: { logger } }: Sources,
  project: Project,
  given: readonly KubeObject[],
): Promise<string> {
  const cluster = await RenderCluster.start(logger)
  try {
    await cluster.install(crd(WIDGET))
    for (const object of given) await cluster.give(object)
    const { runs } = await renderPasses(cluster, project, { logger, limit: 2 })
    const made = cluster.made.shown(false).map(({ object }) => object)
    const objects = printObjects(made, 'json')
    return [objects, printPasses(cluster.made.changes), printHeldUp(runs)].join('\n')
  } finally {
    await cluster.stop()
  }
}

/** What `rolebook diff` prints of the project, as text and as data. */
export async function diffInRound({ sandbox, log }: Sources, project: Project): Promise<string> {
  const result = await whatIf(project, {
    connection: sandbox.cluster.connection,
    logger: log.logger,
    operatorNamespace: 'default',
    only: { kind: undefined, namespace: undefined, name: undefined },
    signal: new AbortController().signal,
  })
  const diffs = diffOf(result, { longest: Number.POSITIVE_INFINITY })
  return `${printDiff(diffs, { color: false })}\n${textsIn(diffs)}`
}
