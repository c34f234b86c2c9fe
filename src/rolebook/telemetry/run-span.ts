import type { Attributes } from '@opentelemetry/api'
import { explain } from '../../core/base/coded-error.ts'
import type { RunReport, Trigger } from '../../engine/reconcile/trace/run-trace.ts'
import type { SpannedRun, SpannedTask } from '../../engine/role/run/run-spans.ts'
import type { TaskOutcome } from '../../engine/role/task-outcome.ts'
import type { SpanEnd } from './run-record.ts'

/** What was thrown instead of a result. */
export interface Thrown {
  readonly thrown: unknown
}

/** What the span of a run says. Without a report the run was put off, such as one that computes for long and waits for its turn. */
export function runEnd(
  { group, kind, namespace, name }: SpannedRun['request'],
  report: RunReport | undefined,
  thrown: Thrown | undefined,
): SpanEnd {
  const attributes: Attributes = {
    'rolebook.resource.group': group,
    'rolebook.resource.kind': kind,
    'rolebook.resource.namespace': namespace,
    'rolebook.resource.name': name,
    'rolebook.run.result': thrown ? 'failed' : (report?.outcome ?? 'postponed'),
    ...reported(report),
  }
  if (thrown) return { attributes, error: explain(thrown.thrown) }
  const { outcome, trace } = report ?? {}
  return { attributes, error: outcome === 'failed' ? (trace?.ready ?? 'the run has failed') : undefined }
}

function reported(report: RunReport | undefined): Attributes {
  if (!report?.trace) return {}
  const { uid, generation, role, woken, ready } = report.trace
  return {
    'rolebook.resource.uid': uid,
    'rolebook.resource.generation': generation,
    'rolebook.role': role,
    'rolebook.run.woken_by': woken.map(describe),
    'rolebook.run.changed': report.changed,
    'rolebook.run.ready': ready,
  }
}

/** `edited spec.size`, `changed Deployment default/web`. */
function describe({ kind, object, fields = [] }: Trigger): string {
  return [kind, ...(object === undefined ? [] : [object]), ...fields].join(' ')
}

/** What the span of a task says, or of an item of its loop. */
export function taskEnd({ name, kind, item }: SpannedTask, ended: TaskOutcome | Thrown): SpanEnd {
  const about = { 'rolebook.task.name': name, 'rolebook.task.kind': kind, 'rolebook.task.item': item }
  if ('thrown' in ended) {
    return { attributes: { ...about, 'rolebook.task.outcome': 'given up' }, error: explain(ended.thrown) }
  }
  const attributes = { ...about, 'rolebook.task.outcome': ended.kind }
  if (ended.kind === 'failed') return { attributes, error: `${ended.reason}: ${explain(ended.error)}` }
  return {
    attributes: ended.kind === 'waiting' ? { ...attributes, 'rolebook.task.waits_for': ended.reason } : attributes,
  }
}
