/** When each alert of docs/monitoring fires and when it is silent, for promtool to try. */

export interface AlertCase {
  readonly alert: string
  /** What happens, as the end of a title. */
  readonly when: string
  /** The samples of each series, one a minute from minute 0 on, in the notation of promtool. */
  readonly series: Readonly<Record<string, string>>
  /** Minutes. */
  readonly silentAt: readonly number[]
  readonly firing?: Firing
}

interface Firing {
  /** Minutes. The first is the earliest that there is. */
  readonly at: readonly number[]
  /** Beside namespace, job and severity. */
  readonly labels?: Readonly<Record<string, string>>
  readonly summary: string
}

/** Of the operator to which the series of all cases belong. */
export const OPERATOR = { namespace: 'rolebook-system', job: 'rolebook' } as const

const WIDGET = { kind: 'Widget' }
const FAILED = { ...WIDGET, outcome: 'failed' }
const FORBIDDEN = { ...WIDGET, verb: 'apply', result: 'Forbidden' }

export const ALERT_CASES: readonly AlertCase[] = [
  {
    alert: 'RolebookNoLeader',
    when: 'both replicas wait for the lease',
    series: { [series('rolebook_leader', { pod: 'a' })]: '0x10', [series('rolebook_leader', { pod: 'b' })]: '0x10' },
    silentAt: [0],
    firing: { at: [1, 10], summary: 'No replica of the operator works.' },
  },
  {
    alert: 'RolebookNoLeader',
    when: 'one of two replicas holds the lease',
    series: { [series('rolebook_leader', { pod: 'a' })]: '0x10', [series('rolebook_leader', { pod: 'b' })]: '1x10' },
    silentAt: [1, 10],
  },
  {
    alert: 'RolebookNoLeader',
    when: 'the lease goes from one replica to the other',
    series: {
      [series('rolebook_leader', { pod: 'a' })]: '1x4 0x10',
      [series('rolebook_leader', { pod: 'b' })]: '0x5 1x9',
    },
    silentAt: [4, 5, 6, 7, 14],
  },
  {
    alert: 'RolebookNoLeader',
    when: 'there is no replica, so that there is no series',
    series: { [series('rolebook_leader', { pod: 'a' })]: '1x4 stale' },
    silentAt: [4, 5, 10],
  },
  {
    alert: 'RolebookWatchDown',
    when: 'the watch of one kind of two is down',
    series: {
      [series('rolebook_watch_live', WIDGET)]: '1 0x20',
      [series('rolebook_watch_live', { kind: 'ConfigMap' })]: '1x20',
    },
    silentAt: [1, 5],
    firing: { at: [6, 20], labels: WIDGET, summary: 'Changes of Widget are not seen.' },
  },
  {
    alert: 'RolebookWatchDown',
    when: 'the watch is opened again within five minutes',
    series: { [series('rolebook_watch_live', WIDGET)]: '1 0x3 1x20' },
    silentAt: [1, 4, 6, 20],
  },
  {
    alert: 'RolebookResourcesFail',
    when: 'a resource fails at each retry, five minutes apart',
    series: { [series('rolebook_reconcile_total', FAILED)]: every(5, 60) },
    silentAt: [5, 19],
    firing: { at: [20, 60], labels: WIDGET, summary: 'Resources of Widget fail.' },
  },
  {
    alert: 'RolebookResourcesFail',
    when: 'a resource fails for hours, and is retried once an hour',
    series: { [series('rolebook_reconcile_total', FAILED)]: every(60, 600) },
    silentAt: [30, 60, 75, 120, 144],
    firing: { at: [145, 200, 400, 600], labels: WIDGET, summary: 'Resources of Widget fail.' },
  },
  {
    alert: 'RolebookResourcesFail',
    when: 'a resource fails once',
    series: { [series('rolebook_reconcile_total', FAILED)]: '0x4 1x300' },
    silentAt: [5, 10, 20, 60, 75, 90, 150, 300],
  },
  {
    alert: 'RolebookResourcesFail',
    when: 'runs are complete, wait or are skipped',
    series: Object.fromEntries(
      ['complete', 'waiting', 'skipped'].map((outcome) => [
        series('rolebook_reconcile_total', { ...WIDGET, outcome }),
        '0+5x60',
      ]),
    ),
    silentAt: [20, 60],
  },
  {
    alert: 'RolebookReloadFailed',
    when: 'the files of the project are broken',
    series: { [series('rolebook_last_reload_successful')]: '1 0x20' },
    silentAt: [1, 5],
    firing: { at: [6, 20], summary: 'The files of the project are not what is at work.' },
  },
  {
    alert: 'RolebookReloadFailed',
    when: 'the files are mended within five minutes',
    series: { [series('rolebook_last_reload_successful')]: '1 0x3 1x20' },
    silentAt: [1, 4, 6, 20],
  },
  {
    alert: 'RolebookResourcesWithoutRole',
    when: 'three resources have lost their role',
    series: { [series('rolebook_resources_without_role', WIDGET)]: '_ 3x30' },
    silentAt: [1, 10],
    firing: { at: [11, 30], labels: WIDGET, summary: '3 resources of Widget have no role any more.' },
  },
  {
    alert: 'RolebookResourcesWithoutRole',
    when: 'all of them have got a role again',
    series: { [series('rolebook_resources_without_role', WIDGET)]: '_ 3x8 stale' },
    silentAt: [1, 9, 11, 20],
  },
  {
    alert: 'RolebookDriftFight',
    when: 'objects of a kind are put back once a minute',
    series: { [series('rolebook_drift_corrected_total', WIDGET)]: '0+1x90' },
    silentAt: [10, 21],
    firing: { at: [26, 90], labels: WIDGET, summary: 'Another client keeps changing Widget.' },
  },
  {
    alert: 'RolebookDriftFight',
    when: 'a person edits an object ten times within an hour',
    series: { [series('rolebook_drift_corrected_total', WIDGET)]: '0+1x10 10x80' },
    silentAt: [10, 15, 60, 90],
  },
  {
    alert: 'RolebookQueueWait',
    when: 'edits wait for 50 s',
    series: waits({ class: 'edit' }, { shorter: 0, longer: 10 }),
    silentAt: [1, 15],
    firing: { at: [16, 60], summary: 'Edits wait for more than 30 s.' },
  },
  {
    alert: 'RolebookQueueWait',
    when: 'edits wait for some seconds',
    series: waits({ class: 'edit' }, { shorter: 10, longer: 0 }),
    silentAt: [16, 60],
  },
  {
    alert: 'RolebookQueueWait',
    when: 'the backlog waits, and no edit does',
    series: waits({ class: 'backlog' }, { shorter: 0, longer: 10 }),
    silentAt: [16, 60],
  },
  {
    alert: 'RolebookRunsHang',
    when: 'a run does not end',
    series: { [series('rolebook_hung_runs', WIDGET)]: '_ 1x30' },
    silentAt: [1, 10],
    firing: { at: [11, 30], labels: WIDGET, summary: 'Runs of Widget do not end.' },
  },
  {
    alert: 'RolebookRunsHang',
    when: 'the run ends after all',
    series: { [series('rolebook_hung_runs', WIDGET)]: '_ 1x8 stale' },
    silentAt: [1, 9, 11, 30],
  },
  {
    alert: 'RolebookControllerFails',
    when: 'the controller fails for the first time, with which its series begins',
    series: { [series('rolebook_controller_failures_total', WIDGET)]: '_x10 1x90' },
    silentAt: [9, 50, 90],
    firing: { at: [10, 25, 39], labels: WIDGET, summary: 'A defect has ended the controller of Widget.' },
  },
  {
    alert: 'RolebookControllerFails',
    when: 'the controller fails again, hours later',
    series: { [series('rolebook_controller_failures_total', WIDGET)]: '1x200 2x90' },
    silentAt: [60, 200, 240, 290],
    firing: { at: [201, 229], labels: WIDGET, summary: 'A defect has ended the controller of Widget.' },
  },
  {
    alert: 'RolebookControllerFails',
    when: 'the controller has failed hours ago',
    series: { [series('rolebook_controller_failures_total', WIDGET)]: '2x300' },
    silentAt: [30, 300],
  },
  {
    alert: 'RolebookWritesRefused',
    when: 'the API server refuses one write in five seconds',
    series: { [series('rolebook_writes_total', FORBIDDEN)]: '0+12x60' },
    silentAt: [1, 22],
    firing: {
      at: [23, 60],
      labels: { kind: 'Widget', result: 'Forbidden' },
      summary: 'The API server refuses writes of Widget: Forbidden.',
    },
  },
  {
    alert: 'RolebookWritesRefused',
    when: 'one write of a minute is refused',
    series: { [series('rolebook_writes_total', FORBIDDEN)]: '0+1x60' },
    silentAt: [16, 60],
  },
  {
    alert: 'RolebookWritesRefused',
    when: 'writes succeed, or conflict and are tried again',
    series: Object.fromEntries(
      ['ok', 'Conflict'].map((result) => [series('rolebook_writes_total', { ...FORBIDDEN, result }), '0+60x60']),
    ),
    silentAt: [16, 60],
  },
]

function series(name: string, labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries({ ...OPERATOR, ...labels }).map(([label, value]) => `${label}="${value}"`)
  return `${name}{${pairs.join(',')}}`
}

/** A counter that grows by one after each `period`, from 1 on, in minutes. */
function every(period: number, end: number): string {
  const values = Array.from({ length: end + 1 }, (_, minute) => 1 + Math.floor(minute / period))
  return values.join(' ')
}

/** A histogram that grows by so many waits a minute that are shorter than 5 s, or between 10 s and 60 s. */
function waits(
  labels: Readonly<Record<string, string>>,
  { shorter, longer }: { readonly shorter: number; readonly longer: number },
): Readonly<Record<string, string>> {
  const bucket = (le: string, growth: number): readonly [string, string] => [
    series('rolebook_queue_wait_seconds_bucket', { ...labels, le }),
    `0+${growth}x60`,
  ]
  const all = shorter + longer
  return Object.fromEntries([bucket('5', shorter), bucket('10', shorter), bucket('60', all), bucket('+Inf', all)])
}
