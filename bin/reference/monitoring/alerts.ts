/** An alert on the metrics of an operator, as a rule of Prometheus. */
export interface Alert {
  readonly alert: string
  readonly expr: string
  /** How long it must hold. */
  readonly for: string
  readonly severity: 'warning' | 'critical'
  readonly summary: string
  /** What it means and what to do; the section of the page on troubleshooting. */
  readonly description: string
  readonly section: string
}

export const ALERTS: readonly Alert[] = [
  {
    alert: 'RolebookNoLeader',
    expr: 'max by (namespace, job) (rolebook_leader) == 0',
    for: '1m',
    severity: 'critical',
    summary: 'No replica of the operator works.',
    description: 'No replica holds the lease, so nothing is reconciled. The logs of the pods say why none gets it.',
    section: 'nothing-happens-at-all',
  },
  {
    alert: 'RolebookWatchDown',
    expr: 'min by (namespace, job, kind) (rolebook_watch_live) == 0',
    for: '5m',
    severity: 'critical',
    summary: 'Changes of {{ $labels.kind }} are not seen.',
    description: 'A watch is down: the right to list and watch is missing, the CRD is gone, or the API server is away.',
    section: 'nothing-happens-at-all',
  },
  {
    alert: 'RolebookResourcesFail',
    // A failure that only an edit can end is retried once an hour in the end: it is seen in two windows, one after the other.
    expr:
      'sum by (namespace, job, kind) (rate(rolebook_reconcile_total{outcome="failed"}[10m])) > 0' +
      ' or sum by (namespace, job, kind) (increase(rolebook_reconcile_total{outcome="failed"}[70m])) > 0' +
      ' and sum by (namespace, job, kind) (increase(rolebook_reconcile_total{outcome="failed"}[70m] offset 70m)) > 0',
    for: '15m',
    severity: 'warning',
    summary: 'Resources of {{ $labels.kind }} fail.',
    description: 'Their Ready and Stalled conditions say why.',
    section: 'ready-is-false',
  },
  {
    alert: 'RolebookReloadFailed',
    expr: 'min by (namespace, job) (rolebook_last_reload_successful) == 0',
    for: '5m',
    severity: 'warning',
    summary: 'The files of the project are not what is at work.',
    description: 'watches.yaml or a role cannot be used, or would tear down resources: the last good version goes on.',
    section: 'an-edited-role-is-not-followed',
  },
  {
    alert: 'RolebookResourcesWithoutRole',
    expr: 'sum by (namespace, job, kind) (rolebook_resources_without_role) > 0',
    for: '10m',
    severity: 'warning',
    summary: '{{ $value }} resources of {{ $labels.kind }} have no role any more.',
    description:
      'A change of watches.yaml took their role away. They keep what was made for them, and nothing looks after it.',
    section: 'norole',
  },
  {
    alert: 'RolebookDriftFight',
    expr: 'sum by (namespace, job, kind) (increase(rolebook_drift_corrected_total[1h])) > 20',
    for: '5m',
    severity: 'warning',
    summary: 'Another client keeps changing {{ $labels.kind }}.',
    description:
      'The operator puts back what another client keeps changing. The condition of the resource names the client and the field.',
    section: 'a-drift-fight',
  },
  {
    alert: 'RolebookQueueWait',
    expr: 'histogram_quantile(0.99, sum by (namespace, job, le) (rate(rolebook_queue_wait_seconds_bucket{class="edit"}[10m]))) > 30',
    for: '15m',
    severity: 'warning',
    summary: 'Edits wait for more than 30 s.',
    description: 'More stands in the queue than the workers can do.',
    section: 'it-is-slow',
  },
  {
    alert: 'RolebookRunsHang',
    expr: 'sum by (namespace, job, kind) (rolebook_hung_runs) > 0',
    for: '10m',
    severity: 'warning',
    summary: 'Runs of {{ $labels.kind }} do not end.',
    description: 'Runs go on although they were aborted at their deadline. Their resources wait for them.',
    section: 'it-is-slow',
  },
  {
    alert: 'RolebookControllerFails',
    // The series begins with the first failure, at 1, and has no increase then.
    expr:
      'sum by (namespace, job, kind) (increase(rolebook_controller_failures_total[30m]) > 0' +
      ' or rolebook_controller_failures_total unless rolebook_controller_failures_total offset 30m) > 0',
    for: '0m',
    severity: 'critical',
    summary: 'A defect has ended the controller of {{ $labels.kind }}.',
    description:
      'It is started again with backoff, and nothing of the kind is reconciled until then. The log has the defect: report it.',
    section: 'nothing-happens-at-all',
  },
  {
    alert: 'RolebookWritesRefused',
    expr: 'sum by (namespace, job, kind, result) (rate(rolebook_writes_total{result!~"ok|Conflict"}[15m])) > 0.1',
    for: '15m',
    severity: 'warning',
    summary: 'The API server refuses writes of {{ $labels.kind }}: {{ $labels.result }}.',
    description: 'A right is missing, a webhook or policy says no, a quota is used up, or the object is not valid.',
    section: 'ready-is-false',
  },
]
