export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
  /** Seconds. */
  readonly buckets?: readonly number[]
}

const FAST = [0.00001, 0.0001, 0.001, 0.01, 0.1, 1]
const SLOW = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60]

/** Every metric of the operator. docs/metrics.md is generated from it. Names never change, because dashboards and alerts use them. */
export const METRICS = {
  rolebook_build_info: {
    type: 'gauge',
    help: 'Always 1; the label is the version of the program.',
    labels: ['version'],
  },
  rolebook_leader: {
    type: 'gauge',
    help: '1 while this process holds the lease and works, or that of a shard, else 0.',
    labels: [],
  },
  rolebook_shard_held: {
    type: 'gauge',
    help: '1 while this process holds the lease of the shard and works on its resources, else 0. Only with --shards.',
    labels: ['shard'],
  },
  rolebook_shard_resources: {
    type: 'gauge',
    help: 'Resources of each shard that this process holds. Only with --shards.',
    labels: ['shard'],
  },
  rolebook_reconcile_total: {
    type: 'counter',
    help: 'Runs of resources, by what they came to: complete, waiting, failed, skipped, paused, deleting, spared, gone.',
    labels: ['kind', 'outcome'],
  },
  rolebook_reconcile_duration_seconds: {
    type: 'histogram',
    help: 'How long runs took, from queue to status.',
    labels: ['kind'],
    buckets: SLOW,
  },
  rolebook_reconcile_timeouts_total: {
    type: 'counter',
    help: 'Runs that were aborted at their deadline (--reconciliation-timeout).',
    labels: ['kind'],
  },
  rolebook_hung_runs: {
    type: 'gauge',
    help: 'Runs that go on although they were aborted. Their resources wait for their ends.',
    labels: ['kind'],
  },
  rolebook_controller_failures_total: {
    type: 'counter',
    help: 'Controllers that a defect has ended: each is started again with backoff, and nothing of its kind is reconciled until then.',
    labels: ['kind'],
  },
  rolebook_skipped_runs_total: {
    type: 'counter',
    help: 'Runs that were skipped, because nothing had changed since the last complete one.',
    labels: ['kind'],
  },
  rolebook_task_duration_seconds: {
    type: 'histogram',
    help: 'How long tasks of roles took, loops as one.',
    labels: ['role', 'task'],
    buckets: SLOW,
  },
  rolebook_expression_seconds: {
    type: 'histogram',
    help: 'How long single expressions took.',
    labels: ['role'],
    buckets: FAST,
  },
  rolebook_queue_depth: {
    type: 'gauge',
    help: 'Resources that stand ready for a worker, by urgency: edit, child, retry, backlog, long.',
    labels: ['kind', 'class'],
  },
  rolebook_queue_wait_seconds: {
    type: 'histogram',
    help: 'How long resources stood ready before a worker took them.',
    labels: ['class'],
    buckets: SLOW,
  },
  rolebook_writes_total: {
    type: 'counter',
    help: 'Writes to the API server, by verb (create, apply, patch, delete) and result: ok, or the reason of the error.',
    labels: ['kind', 'verb', 'result'],
  },
  rolebook_drift_corrected_total: {
    type: 'counter',
    help: 'Objects whose fields another client had changed and that were put back, by their kind.',
    labels: ['kind'],
  },
  rolebook_children_kept_total: {
    type: 'counter',
    help: 'Objects that stayed when their resource went, since nothing showed whether it was deleted with --cascade=orphan, by their kind.',
    labels: ['kind'],
  },
  rolebook_watch_live: {
    type: 'gauge',
    help: '1 while what happens to objects of the kind is seen at once, 0 while a watch of it is down.',
    labels: ['kind'],
  },
  rolebook_watches: {
    type: 'gauge',
    help: 'Watches that are held, by kind: one for each namespace and selector.',
    labels: ['kind'],
  },
  rolebook_relists_total: {
    type: 'counter',
    help: 'Times that all objects of a kind were listed, by why.',
    labels: ['kind', 'reason'],
  },
  rolebook_reloads_total: {
    type: 'counter',
    help: 'Changed projects, by what became of them: used, invalid (not understood), refused (would tear down), delayed (tried again).',
    labels: ['result'],
  },
  rolebook_resources_without_role: {
    type: 'gauge',
    help: 'Resources that a change of watches.yaml has left without a role, and that keep what was made for them.',
    labels: ['kind'],
  },
  rolebook_last_reload_successful: {
    type: 'gauge',
    help: '0 while the files of the project are not what is at work: they cannot be used, or not yet, or would tear down resources.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>

export type MetricName = keyof typeof METRICS
