import type { Right } from './right.ts'

/** The settings that decide which rights an installation needs besides those of its roles. */
export interface InstallationSettings {
  /** Where the operator runs: its ledger is there. */
  readonly namespace: string
  /** Absent: it leads without asking. */
  readonly leaderElection?: LeaderElectionSettings | undefined
  /** Whether it asks the server who may read its metrics. Defaults to false. */
  readonly checksReaders?: boolean | undefined
}

export interface LeaderElectionSettings {
  readonly id: string
  readonly namespace: string
  /** Into how many shares the resources are split. Defaults to 1. */
  readonly shards?: number | undefined
}

/** Name of the ConfigMap and of the Secret that `reconcile/ownership/ledger.ts` keeps. */
const LEDGER = 'rolebook-ledger'

export function installationRights(settings: InstallationSettings): readonly Right[] {
  const { namespace, leaderElection, checksReaders } = settings
  return [
    ...named({ group: '', resource: 'configmaps', namespace, name: LEDGER }, ['get', 'patch']),
    ...named({ group: '', resource: 'secrets', namespace, name: LEDGER }, ['get']),
    // An event beside the project reports a change that cannot be used.
    { group: 'events.k8s.io', resource: 'events', verb: 'create', namespace },
    ...(leaderElection ? leaseRights(leaderElection) : []),
    ...(checksReaders ? REVIEWS : []),
  ]
}

/** With shards, each replica has a lease of its own. Its name is not known in advance, so the rights cannot name it. */
function leaseRights({ id, namespace, shards = 1 }: LeaderElectionSettings): readonly Right[] {
  const all = { group: 'coordination.k8s.io', resource: 'leases', namespace }
  if (shards > 1) return ['get', 'list', 'watch', 'create', 'patch', 'delete'].map((verb) => ({ ...all, verb }))
  return named({ group: 'coordination.k8s.io', resource: 'leases', namespace, name: id }, ['get', 'watch', 'patch'])
}

/** A create cannot be limited to a name. */
function named({ name, ...rest }: Omit<Right, 'verb'>, verbs: readonly string[]): readonly Right[] {
  return [...verbs.map((verb) => ({ ...rest, name, verb })), { ...rest, verb: 'create' }]
}

/** To know who asks for metrics, and whether they may. */
const REVIEWS: readonly Right[] = [
  { group: 'authentication.k8s.io', resource: 'tokenreviews', verb: 'create' },
  { group: 'authorization.k8s.io', resource: 'subjectaccessreviews', verb: 'create' },
]
