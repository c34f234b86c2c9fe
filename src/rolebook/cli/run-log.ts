import { evictOldest } from '../../core/base/evict-oldest.ts'
import type { LogFields, Logger } from '../../core/base/logger.ts'
import { formatGroupKind } from '../../core/kube/group-version-kind.ts'
import { formatKey } from '../../core/kube/object.ts'
import type {
  RunListener,
  RunReport,
  RunTrace,
  TracedObject,
  TracedTask,
} from '../../engine/reconcile/trace/run-trace.ts'
import { requestKey } from '../../engine/runtime/reconciler.ts'

/** How many resources have their last failure remembered. */
const MAX_FAILING = 10_000

/** The message for each kind of change that is logged. */
const MESSAGES: Partial<Record<TracedObject['did'], string>> = {
  created: 'object created',
  changed: 'object changed',
  corrected: 'drift corrected',
}

/**
 * Logs a line for each object that a run has changed or removed, and for each task that failed. Details are in fields. A failure that stays
 * the same is logged once; its repetitions, waits and runs as a whole are logged at level debug. `changeLevel` is the level for changes.
 */
export function runLog(logger: Logger, changeLevel: 'info' | 'debug' = 'info'): RunListener {
  const failing = new Map<string, string>()
  return (report) => {
    const { request, trace, outcome } = report
    if (outcome === 'gone') failing.delete(requestKey(request))
    if (!trace) return
    const fields = { kind: formatGroupKind(request), resource: formatKey(request), role: trace.role }
    const resource = logger.child(fields)
    for (const task of trace.tasks) logChanges(task, (message, fields) => resource[changeLevel](message, fields))
    for (const object of trace.removed ?? []) resource[changeLevel]('object removed', { object })
    logFailures(resource, { request, outcome, trace }, failing)
    resource.debug(`run ${outcome}`, runFields(trace))
  }
}

function logChanges({ name: task, objects = [] }: TracedTask, log: Logger['info']): void {
  for (const { object, did, fields, lost, by } of objects) {
    const text = MESSAGES[did]
    if (text === undefined) continue
    const names = fields?.map(({ field }) => field)
    log(text, { task, object, ...(names && { fields: names }), ...(lost && { lost }), ...(by !== undefined && { by }) })
  }
}

interface TracedRun extends Pick<RunReport, 'request' | 'outcome'> {
  readonly trace: RunTrace
}

function logFailures(logger: Logger, { request, outcome, trace }: TracedRun, failing: Map<string, string>): void {
  const key = requestKey(request)
  const lines = trace.tasks.flatMap(({ name: task, why, ...rest }): readonly LogFields[] =>
    rest.outcome === 'failed' && why !== undefined ? [{ task, why: why.join('; ') }] : [],
  )
  // Variables, the status and removals are no tasks, but may fail as well.
  if (lines.length === 0 && outcome === 'failed') lines.push({ why: trace.ready })
  const text = JSON.stringify(lines)
  const isNews = failing.get(key) !== text
  failing.delete(key)
  if (lines.length === 0) return
  evictOldest({ capacity: MAX_FAILING, known: failing }, (oldest) => failing.delete(oldest))
  failing.set(key, text)
  for (const line of lines) logger[isNews ? 'error' : 'debug']('task failed', line)
}

function runFields({ milliseconds, woken, ready, requests }: RunTrace): LogFields {
  const why = woken.map(({ kind, object }) => (object === undefined ? kind : `${kind} ${object}`))
  return { milliseconds, woken: why, ready, requests: { ...requests } }
}
