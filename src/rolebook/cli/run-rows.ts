import { formatKey } from '../../core/kube/object.ts'
import type { RunReport } from '../../engine/reconcile/trace/run-trace.ts'
import type { ResourceRow } from './live-table.ts'
import type { LiveView } from './live-view.ts'

/** Shows what a run came to. Skipped runs change nothing and are not shown. */
export function showRun(view: LiveView, report: RunReport): void {
  const resource = `${report.request.kind} ${formatKey(report.request)}`
  if (report.outcome === 'gone') view.remove(resource)
  else if (report.outcome !== 'skipped') view.show(rowOf(resource, report))
}

function rowOf(resource: string, { ready, children, at }: RunReport): ResourceRow {
  return {
    resource,
    ready: ready?.status === 'True' || ready?.status === 'False' ? ready.status : 'Unknown',
    reason: ready?.reason ?? '',
    message: ready?.status === 'True' ? '' : (ready?.message ?? ''),
    children,
    changed: new Date(at).toISOString().slice(11, 19),
  }
}
