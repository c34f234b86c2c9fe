import type { RunReport } from '../../engine/reconcile/trace/run-trace.ts'
import type { LiveView } from './live-view/live-view.ts'
import type { ResourceRow } from './live-view/resource-row.ts'

/** Shows what a run came to. Skipped runs change nothing and are not shown. */
export function showRun(view: Pick<LiveView, 'show' | 'remove'>, report: RunReport): void {
  if (report.outcome === 'gone') view.remove(report.request)
  else if (report.outcome !== 'skipped') view.show(rowOf(report))
}

function rowOf(report: RunReport): ResourceRow {
  const { request, ready, at } = report
  return {
    request,
    ready: ready?.status === 'True' || ready?.status === 'False' ? ready.status : 'Unknown',
    reason: ready?.reason ?? '',
    message: ready?.status === 'True' ? '' : (ready?.message ?? ''),
    children: childrenOf(report),
    changed: at,
  }
}

/** Objects that are there. The count of a run that failed has those, too, that the server refused. */
function childrenOf({ children, outcome, trace }: RunReport): number | undefined {
  if (children === undefined || outcome !== 'failed' || !trace || trace.more !== undefined) return children
  const there = new Set(['unchanged', 'created', 'adopted', 'changed', 'corrected'])
  const objects = trace.tasks.flatMap((task) => (task.objects ?? []).filter(({ did }) => there.has(did)))
  return Math.min(children, new Set(objects.map(({ object }) => object)).size)
}
