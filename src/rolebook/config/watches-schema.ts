import type { JsonObject } from '../../core/base/json.ts'
import { apiVersionSchema } from '../../engine/role/api-version.ts'
import { ROLE_NAME } from './role-name.ts'

export const WATCH_DEFAULTS = {
  vars: {},
  reconcilePeriod: 10 * 3_600_000,
  maxConcurrentReconciles: 16,
  manageStatus: true,
  watchDependentResources: true,
  deletion: 'background',
} as const

const DNS_LABEL = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?'

function namespaces(pattern: string, explain: string): JsonObject {
  return { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', pattern, explain } }
}

const ALLOWED = namespaces(`^(\\*|${DNS_LABEL})$`, 'must be the name of a namespace, or "*" for any')

const SELECTOR: JsonObject = {
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: {
    matchLabels: { type: 'object', minProperties: 1, additionalProperties: { type: 'string' } },
    matchExpressions: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['key', 'operator'],
        properties: {
          key: { type: 'string' },
          operator: { enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] },
          values: { type: 'array', minItems: 1, items: { type: 'string' } },
        },
      },
    },
  },
}

/** What every key of an entry may hold; `parseWatches` checks what a schema cannot say. */
const PROPERTIES: JsonObject = {
  apiVersion: apiVersionSchema('that of the watched kind stands in `group` and `version`'),
  group: {
    description: 'The API group of the resources; `""` is the core group.',
    type: 'string',
    pattern: `^(${DNS_LABEL}(\\.${DNS_LABEL})*)?$`,
    explain: 'must be a DNS name in lower case such as cache.example.com, or "" for the core group',
  },
  version: {
    description: 'The version in which the role reads the resources.',
    type: 'string',
    pattern: '^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$',
    explain: 'must be a version such as v1 or v1alpha1',
  },
  kind: {
    description: 'The kind of the resources.',
    type: 'string',
    pattern: '^[A-Z][A-Za-z0-9]{0,62}$',
    explain: 'must be a kind such as Memcached: with a capital, no wildcard, no subresource',
  },
  role: {
    description: 'The name of the role in the roles folder.',
    type: 'string',
    ...ROLE_NAME,
  },
  vars: { description: "Values that replace the role's own; `$(VAR)` takes an environment variable.", type: 'object' },
  reconcilePeriod: {
    description: 'How often the role runs when nothing has happened: `10h` by default, `0s` never, at least `10s`.',
    type: 'string',
  },
  maxConcurrentReconciles: {
    description: 'How many resources of this kind are worked on at once: 16 by default.',
    type: 'integer',
    minimum: 1,
    maximum: 1_000,
  },
  namespaces: {
    description: 'Namespaces to watch. By default those of `WATCH_NAMESPACE`, else all.',
    ...namespaces(`^${DNS_LABEL}$`, 'must be the name of a namespace'),
  },
  selector: { description: 'Only resources with labels that this selects.', ...SELECTOR },
  allowedNamespaces: {
    description:
      "Where the role may read and write: a list, or one for `read` and one for `write`; `*` is any. By default the resource's own.",
    anyOf: [
      ALLOWED,
      { type: 'object', minProperties: 1, additionalProperties: false, properties: { read: ALLOWED, write: ALLOWED } },
    ],
  },
  manageStatus: {
    description:
      'Whether conditions and observedGeneration are written: `true` by default. `false` leaves the status to `status` tasks.',
    type: 'boolean',
  },
  watchDependentResources: {
    description: 'Whether the role runs again when an object that it made changes: `true` by default.',
    type: 'boolean',
  },
  deletion: {
    description:
      'When the children of a deleted resource go: `background`, the default, leaves it to the garbage collector; with `foreground` the resource waits until they are gone; `{propagation: foreground, order: reverse}` deletes them one after the other, the last made first.',
    anyOf: [
      { type: 'string', enum: ['background', 'foreground'] },
      {
        type: 'object',
        additionalProperties: false,
        required: ['propagation'],
        properties: { propagation: { enum: ['foreground'] }, order: { enum: ['reverse'] } },
      },
    ],
  },
  acknowledge: {
    description:
      'Kinds that can raise rights and that the role may make all the same, such as `Role.rbac.authorization.k8s.io`.',
    type: 'array',
    uniqueItems: true,
    items: {
      type: 'string',
      pattern: '^[A-Z][A-Za-z0-9]*(\\.[a-z0-9][-a-z0-9.]*)?$',
      explain: 'must be a kind and its group such as Role.rbac.authorization.k8s.io',
    },
  },
}

/** Keys that the Ansible operator has and that mean nothing here, each with what to do instead. */
export const REFUSED_KEYS: Readonly<Record<string, string>> = {
  playbook: 'name a `role`: its tasks are the playbook',
  finalizer: 'nothing is needed: the finalizer is set when a role makes something that must be taken down',
  blacklist: 'name what to read in the tasks: only objects that a role looks at are watched',
  watchClusterScopedResources: 'nothing is needed: what a role makes is watched in every scope',
  watchAnnotationsChanges: 'nothing is needed: annotations that the role reads re-run it when they change',
  maxRunnerArtifacts: 'nothing is needed: a run leaves no files',
  snakeCaseParameters: 'write the names of the fields as they are in the resource',
  markUnsafe: 'nothing is needed: text of a resource is data and never evaluated',
}

export const WATCHES_SCHEMA: JsonObject = {
  type: 'array',
  minItems: 1,
  explain: 'the list is empty: nothing would be watched',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['group', 'version', 'kind', 'role'],
    properties: { ...PROPERTIES, ...Object.fromEntries(Object.keys(REFUSED_KEYS).map((key) => [key, {}])) },
  },
}
