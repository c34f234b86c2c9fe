import { WATCH_DEFAULTS } from '../config/watches-schema.ts'
import { type CommandOption, type Invocation, UsageError } from './command.ts'
import {
  CONTEXT_OPTION,
  KUBECONFIG_OPTION,
  LOG_FORMAT_OPTION,
  LOG_LEVEL_OPTION,
  NAMESPACE_OPTION,
  ROLES_PATH_OPTION,
  TEARDOWN_OPTION,
  WATCHES_FILE_OPTION,
} from './options.ts'
import {
  ADDRESS,
  COUNT,
  DURATION,
  NAMESPACE,
  OBJECT_NAME,
  oneOf,
  PERIOD,
  RATE,
  SHARDS,
  SWITCH,
  TEXT,
  TIMEOUT,
  type ValueKind,
} from './value-kind.ts'

/** A setting of `rolebook run`: a flag, its meaning as a value, and what the page on configuration says beside it. */
export interface Setting extends CommandOption {
  readonly kind: ValueKind<unknown>
  readonly group: SettingGroup
  /** The flag or variable of the Ansible operator that does the same. */
  readonly peer?: string
}

export const SETTING_GROUPS = {
  project: 'What is run',
  cluster: 'The cluster',
  leadership: 'Leadership',
  work: 'Work',
  seeing: 'Metrics, probes, dashboard and logs',
} as const

export type SettingGroup = keyof typeof SETTING_GROUPS

/** Every setting of the operator, in the order of `--help` and of the page on configuration. */
export const RUN_SETTINGS = {
  watchesFile: { ...WATCHES_FILE_OPTION, group: 'project', peer: '--watches-file' },
  rolesPath: { ...ROLES_PATH_OPTION, group: 'project', peer: '--ansible-roles-path, ANSIBLE_ROLES_PATH' },
  installCrds: {
    flags: '--install-crds',
    description: 'apply the CRDs of the roles at the start, and refuse those that would take fields or versions away',
    environment: 'ROLEBOOK_INSTALL_CRDS',
    default: 'false',
    kind: SWITCH,
    group: 'project',
  },
  allowTeardown: { ...TEARDOWN_OPTION, group: 'project' },
  dryRun: {
    flags: '--dry-run',
    description: 'write nothing, and log what would be written; takes no part in leader election',
    environment: 'ROLEBOOK_DRY_RUN',
    default: 'false',
    kind: SWITCH,
    group: 'project',
  },
  namespaces: { ...NAMESPACE_OPTION, group: 'cluster', peer: 'WATCH_NAMESPACE' },
  kubeconfig: { ...KUBECONFIG_OPTION, group: 'cluster', peer: '--kubeconfig, KUBECONFIG' },
  context: { ...CONTEXT_OPTION, group: 'cluster' },
  apiQps: {
    flags: '--kube-api-qps <number>',
    description:
      'requests a second that are sent to the API server at most, watches and the lease left out (0: no limit)',
    environment: 'ROLEBOOK_KUBE_API_QPS',
    default: '0',
    kind: RATE,
    group: 'cluster',
  },
  apiBurst: {
    flags: '--kube-api-burst <count>',
    description: 'requests that may be sent at once before --kube-api-qps holds them back (twice that rate)',
    environment: 'ROLEBOOK_KUBE_API_BURST',
    kind: COUNT,
    group: 'cluster',
  },
  leaderElect: {
    flags: '--leader-elect',
    description: 'work only while holding a lease, so that two processes never work at once',
    environment: 'ROLEBOOK_LEADER_ELECT',
    default: 'true',
    kind: SWITCH,
    group: 'leadership',
    peer: '--leader-elect (off)',
  },
  leaderElectionId: {
    flags: '--leader-election-id <name>',
    description: 'the name of the lease: one for each installation',
    environment: 'ROLEBOOK_LEADER_ELECTION_ID',
    default: 'rolebook',
    kind: OBJECT_NAME,
    group: 'leadership',
    peer: '--leader-election-id',
  },
  leaderElectionNamespace: {
    flags: '--leader-election-namespace <name>',
    description: "where the lease stands (the pod's namespace, else the context's, else default)",
    environment: 'ROLEBOOK_LEADER_ELECTION_NAMESPACE',
    kind: NAMESPACE,
    group: 'leadership',
    peer: '--leader-election-namespace',
  },
  shards: {
    flags: '--shards <count>',
    description:
      'into how many shares the resources are split, which all replicas work on at the same time (1: one replica leads, others wait)',
    environment: 'ROLEBOOK_SHARDS',
    default: '1',
    kind: SHARDS,
    group: 'leadership',
  },
  leaseDuration: {
    flags: '--leader-election-lease-duration <duration>',
    description: 'for how long others wait after the leader was last heard of',
    environment: 'ROLEBOOK_LEADER_ELECTION_LEASE_DURATION',
    default: '15s',
    kind: TIMEOUT,
    group: 'leadership',
    peer: '--leader-elect-lease-duration',
  },
  renewDeadline: {
    flags: '--leader-election-renew-deadline <duration>',
    description: 'after which the leader gives up when it cannot renew its lease',
    environment: 'ROLEBOOK_LEADER_ELECTION_RENEW_DEADLINE',
    default: '10s',
    kind: TIMEOUT,
    group: 'leadership',
    peer: '--leader-elect-renew-deadline',
  },
  retryPeriod: {
    flags: '--leader-election-retry-period <duration>',
    description: 'how often the lease is renewed, or looked at by those who wait',
    environment: 'ROLEBOOK_LEADER_ELECTION_RETRY_PERIOD',
    default: '2s',
    kind: TIMEOUT,
    group: 'leadership',
  },
  maxConcurrent: {
    flags: '--max-concurrent-reconciles <count>',
    description: 'resources that are worked on at once, for each entry of watches.yaml that does not say',
    environment: 'ROLEBOOK_MAX_CONCURRENT_RECONCILES',
    default: String(WATCH_DEFAULTS.maxConcurrentReconciles),
    kind: COUNT,
    group: 'work',
    peer: '--max-concurrent-reconciles (number of CPUs)',
  },
  reconcilePeriod: {
    flags: '--reconcile-period <duration>',
    description: 'how often each resource is looked at without a reason, for entries that do not say (0s: never)',
    environment: 'ROLEBOOK_RECONCILE_PERIOD',
    default: '10h',
    kind: PERIOD,
    group: 'work',
    peer: '--reconcile-period',
  },
  reconciliationTimeout: {
    flags: '--reconciliation-timeout <duration>',
    description: 'for how long one run of a role may take before it is aborted and tried again (0s: for ever)',
    environment: 'ROLEBOOK_RECONCILIATION_TIMEOUT',
    default: '10m',
    kind: DURATION,
    group: 'work',
  },
  cacheCheckPeriod: {
    flags: '--cache-check-period <duration>',
    description: 'about how often each cache is compared with the server, by names and versions (0s: never)',
    environment: 'ROLEBOOK_CACHE_CHECK_PERIOD',
    default: '6h',
    kind: DURATION,
    group: 'work',
  },
  gracePeriod: {
    flags: '--graceful-shutdown-timeout <duration>',
    description:
      'for how long work under way may go on after SIGTERM or SIGINT; a second signal ends the process at once',
    environment: 'ROLEBOOK_GRACEFUL_SHUTDOWN_TIMEOUT',
    default: '30s',
    kind: DURATION,
    group: 'work',
    peer: '--graceful-shutdown-timeout',
  },
  metricsAddress: {
    flags: '--metrics-bind-address <address>',
    description: 'where metrics are served, such as :8443 (0: nowhere)',
    environment: 'ROLEBOOK_METRICS_BIND_ADDRESS',
    default: '0',
    kind: ADDRESS,
    group: 'seeing',
    peer: '--metrics-bind-address (:8443)',
  },
  metricsSecure: {
    flags: '--metrics-secure',
    description: 'serve metrics over TLS, to those whom the API server knows and allows them',
    environment: 'ROLEBOOK_METRICS_SECURE',
    default: 'true',
    kind: SWITCH,
    group: 'seeing',
    peer: '--metrics-secure (off), --metrics-require-rbac (off)',
  },
  metricsCertDir: {
    flags: '--metrics-cert-dir <folder>',
    description: 'a folder with tls.crt and tls.key for metrics and the dashboard (a certificate made at the start)',
    environment: 'ROLEBOOK_METRICS_CERT_DIR',
    kind: TEXT,
    group: 'seeing',
  },
  probeAddress: {
    flags: '--health-probe-bind-address <address>',
    description: 'where /livez, /readyz and /healthz are served over HTTP, such as :8081 (0: nowhere)',
    environment: 'ROLEBOOK_HEALTH_PROBE_BIND_ADDRESS',
    default: '0',
    kind: ADDRESS,
    group: 'seeing',
    peer: '--health-probe-bind-address (:6789)',
  },
  uiAddress: {
    flags: '--ui-bind-address <address>',
    description: 'where the dashboard is served, such as localhost:8082 or :8444 (0: nowhere)',
    environment: 'ROLEBOOK_UI_BIND_ADDRESS',
    default: '0',
    kind: ADDRESS,
    group: 'seeing',
  },
  logLevel: { ...LOG_LEVEL_OPTION, group: 'seeing', peer: '--zap-log-level, ANSIBLE_VERBOSITY' },
  logFormat: {
    ...LOG_FORMAT_OPTION,
    description: 'json, one object a line; text for people; auto: text on a terminal, else json',
    default: 'auto',
    kind: oneOf('auto', 'json', 'text'),
    group: 'seeing',
    peer: '--zap-encoder (json)',
  },
} as const satisfies Readonly<Record<string, Setting>>

type Table = typeof RUN_SETTINGS
type ValueOf<One> = One extends { readonly kind: ValueKind<infer Value> }
  ? One extends { readonly default: string }
    ? Value
    : Value | undefined
  : never

/** What every setting of `rolebook run` is, as a value: durations are milliseconds. */
export type RunSettings = { readonly [Name in keyof Table]: ValueOf<Table[Name]> }

/** @throws UsageError when settings contradict each other */
export function runSettings(invocation: Invocation): RunSettings {
  const values = Object.entries(RUN_SETTINGS).map(([key, row]) => [key, settingIn(invocation, row)])
  const settings: RunSettings = Object.fromEntries(values)
  refuseContradictions(settings)
  return settings
}

function settingIn(invocation: Invocation, { flags, kind }: Setting): unknown {
  const name = nameOf(flags)
  if (kind === SWITCH) return invocation.flag(name)
  const text = invocation.text(name)
  return text === undefined ? undefined : kind.parse(text)
}

/** `reconcile-period` of `--reconcile-period <duration>`. */
function nameOf(flags: string): string {
  return flags.replace(/^--/, '').replace(/ .*/, '')
}

function refuseContradictions(settings: RunSettings): void {
  const { leaderElect, shards, leaseDuration, renewDeadline, retryPeriod } = settings
  if (shards > 1 && !leaderElect) refuse('shards', 'needs --leader-elect: the lease of a shard says who may write')
  if (leaseDuration <= renewDeadline) {
    refuse('leaseDuration', 'must be longer than --leader-election-renew-deadline: others would take over too early')
  }
  if (renewDeadline <= retryPeriod * 1.2) {
    refuse('renewDeadline', 'must be longer than 1.2 times --leader-election-retry-period, so that one try may fail')
  }
}

function refuse(setting: keyof RunSettings, problem: string): never {
  throw new UsageError(`--${nameOf(RUN_SETTINGS[setting].flags)} ${problem}`)
}
