import type { JsonObject } from '../../../src/core/base/json.ts'

interface Panel {
  readonly title: string
  readonly description: string
  /** What is asked, and how each series is called. */
  readonly queries: readonly (readonly [expr: string, legend: string])[]
  readonly unit?: string
  readonly type?: 'timeseries' | 'stat'
}

interface Row {
  readonly title: string
  readonly panels: readonly Panel[]
}

const OURS = 'namespace=~"$namespace", job=~"$job"'
const quantile = (share: number, metric: string, by: string): string =>
  `histogram_quantile(${share}, sum by (${by}, le) (rate(${metric}_bucket{${OURS}}[$__rate_interval])))`
const rate = (metric: string, by: string, also = ''): string =>
  `sum by (${by}) (rate(${metric}{${OURS}${also}}[$__rate_interval]))`

const HEALTH: Row = {
  title: 'Is it well?',
  panels: [
    {
      title: 'Leaders',
      description: 'Replicas that work: one, or as many as share the work.',
      queries: [[`sum(rolebook_leader{${OURS}})`, 'leaders']],
      type: 'stat',
    },
    {
      title: 'Watches that are down',
      description: 'Kinds whose changes are not seen.',
      queries: [[`count(min by (kind) (rolebook_watch_live{${OURS}}) == 0) or vector(0)`, 'kinds']],
      type: 'stat',
    },
    {
      title: 'Files of the project',
      description: '1 while the roles at work are those of the files.',
      queries: [[`min(rolebook_last_reload_successful{${OURS}})`, 'current']],
      type: 'stat',
    },
    {
      title: 'Resources without a role',
      description: 'They keep what was made for them, and nothing looks after it.',
      queries: [[`sum(rolebook_resources_without_role{${OURS}}) or vector(0)`, 'resources']],
      type: 'stat',
    },
  ],
}

const RUNS: Row = {
  title: 'Runs',
  panels: [
    {
      title: 'Runs by outcome',
      description: 'Runs of resources, by what they came to.',
      queries: [[rate('rolebook_reconcile_total', 'outcome'), '{{outcome}}']],
      unit: 'ops',
    },
    {
      title: 'Runs that fail, by kind',
      description: 'The conditions of the resources say why.',
      queries: [[rate('rolebook_reconcile_total', 'kind', ', outcome="failed"'), '{{kind}}']],
      unit: 'ops',
    },
    {
      title: 'How long runs take',
      description: 'From the queue to the status.',
      queries: [
        [quantile(0.5, 'rolebook_reconcile_duration_seconds', 'kind'), '{{kind}} p50'],
        [quantile(0.99, 'rolebook_reconcile_duration_seconds', 'kind'), '{{kind}} p99'],
      ],
      unit: 's',
    },
    {
      title: 'The slowest tasks',
      description: 'The mean time of a task, loops as one.',
      queries: [
        [
          `topk(10, ${rate('rolebook_task_duration_seconds_sum', 'role, task')} / ${rate('rolebook_task_duration_seconds_count', 'role, task')})`,
          '{{role}}: {{task}}',
        ],
      ],
      unit: 's',
    },
  ],
}

const QUEUE: Row = {
  title: 'Queue',
  panels: [
    {
      title: 'Resources that wait for a worker',
      description: 'By urgency: an edit goes before everything else.',
      queries: [[`sum by (class) (rolebook_queue_depth{${OURS}})`, '{{class}}']],
    },
    {
      title: 'How long they wait (p99)',
      description: 'Where edits wait long, more workers or shards are needed.',
      queries: [[quantile(0.99, 'rolebook_queue_wait_seconds', 'class'), '{{class}}']],
      unit: 's',
    },
  ],
}

const WRITES: Row = {
  title: 'Writes and drift',
  panels: [
    {
      title: 'Writes by kind',
      description: 'A resource at rest costs none.',
      queries: [[rate('rolebook_writes_total', 'kind', ', result="ok"'), '{{kind}}']],
      unit: 'ops',
    },
    {
      title: 'Writes that are refused',
      description: 'By the reason of the API server.',
      queries: [[rate('rolebook_writes_total', 'kind, result', ', result!="ok"'), '{{kind}} {{result}}']],
      unit: 'ops',
    },
    {
      title: 'Drift that was corrected',
      description: 'Objects that another client had changed.',
      queries: [[rate('rolebook_drift_corrected_total', 'kind'), '{{kind}}']],
      unit: 'ops',
    },
    {
      title: 'Lists of all objects',
      description: 'A watch that breaks often costs lists.',
      queries: [[rate('rolebook_relists_total', 'kind, reason'), '{{kind}} {{reason}}']],
      unit: 'ops',
    },
  ],
}

const PROCESS: Row = {
  title: 'Process',
  panels: [
    {
      title: 'Memory',
      description: 'Resident memory of each replica.',
      queries: [[`process_resident_memory_bytes{${OURS}}`, '{{pod}}']],
      unit: 'bytes',
    },
    {
      title: 'CPU',
      description: 'Cores that each replica uses.',
      queries: [[rate('process_cpu_seconds_total', 'pod'), '{{pod}}']],
      unit: 'short',
    },
  ],
}

const WIDTH = 24
const HEIGHT = 8
const SOURCE = { type: 'prometheus', uid: '${datasource}' }

/** A dashboard of Grafana for the metrics of an operator. */
export function dashboard(): JsonObject {
  return {
    title: 'rolebook',
    uid: 'rolebook',
    tags: ['rolebook', 'kubernetes'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    templating: { list: [sourceVariable(), variable('namespace'), variable('job')] },
    panels: [HEALTH, RUNS, QUEUE, WRITES, PROCESS].flatMap(panelsOf),
  }
}

function sourceVariable(): JsonObject {
  return { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }
}

function variable(label: string): JsonObject {
  const query = `label_values(rolebook_build_info, ${label})`
  const all = { includeAll: true, multi: true, current: { text: 'All', value: '$__all' } }
  return { name: label, type: 'query', datasource: SOURCE, query: { query, refId: label }, refresh: 2, ...all }
}

/** The heading of a row, and its panels side by side. Grafana moves rows up that stand too low. */
function panelsOf({ title, panels }: Row, row: number): readonly JsonObject[] {
  const y = row * 2 * HEIGHT
  const heading = {
    id: row * 10 + 1,
    type: 'row',
    title,
    collapsed: false,
    gridPos: { x: 0, y, w: WIDTH, h: 1 },
    panels: [],
  }
  const perLine = panels.some(({ type }) => type === 'stat') ? panels.length : 2
  const w = WIDTH / perLine
  return [
    heading,
    ...panels.map((panel, index) => {
      const h = panel.type === 'stat' ? HEIGHT / 2 : HEIGHT
      const gridPos = { x: (index % perLine) * w, y: y + 1 + Math.floor(index / perLine) * h, w, h }
      return { id: row * 10 + 2 + index, gridPos, ...panelOf(panel) }
    }),
  ]
}

function panelOf({ title, description, queries, unit = 'short', type = 'timeseries' }: Panel): JsonObject {
  return {
    type,
    title,
    description,
    datasource: SOURCE,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: queries.map(([expr, legendFormat], index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource: SOURCE,
      expr,
      legendFormat,
    })),
  }
}
