import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { createMap, get, MAPS, patch, remove } from '../map-steps.ts'

const UNKNOWN_UID = '11111111-1111-1111-1111-111111111111'
const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
const OTHER = '/api/v1/namespaces/{ns}-other'
const owner = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid: `{create ${name}.uid}`,
  ...more,
})
const owned = (name: string, ...ownerReferences: JsonObject[]): Step => createMap(name, { ownerReferences })
const goes = (name: string): Step => get(`${name} goes`, `${MAPS}/${name}`, { until: 404 })
const stays = (name: string): Step => get(`${name} stays`, `${MAPS}/${name}`)
const refused = (what: string, ...ownerReferences: JsonObject[]): Step => ({
  ...createMap('refused', { ownerReferences }),
  name: what,
})
const without = (field: string): JsonObject => ({ ...owner('keeper'), [field]: '' })
const clusterRole = (name: string, metadata: JsonObject = {}): Step => ({
  name: `create cluster role ${name}`,
  method: 'POST',
  path: ROLES,
  body: { metadata: { name: `{ns}-${name}`, ...metadata }, rules: [] },
})
const roleOwner = (name: string): JsonObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  name: `{ns}-${name}`,
  uid: `{create cluster role ${name}.uid}`,
})

const REFUSALS: readonly Step[] = [
  ...['apiVersion', 'kind', 'name', 'uid'].map((field) => refused(`an owner without ${field}`, without(field))),
  refused('an owner that is empty', {}),
  refused('two controllers', owner('keeper', { controller: true }), {
    ...owner('keeper'),
    uid: UNKNOWN_UID,
    controller: true,
  }),
  refused('an event as owner', { ...owner('keeper'), apiVersion: 'v1', kind: 'Event' }),
  refused('an event of the new group as owner', { ...owner('keeper'), apiVersion: 'events.k8s.io/v1', kind: 'Event' }),
  refused('a version that is none', { ...owner('keeper'), apiVersion: 'a/b/c' }),
  refused('a number as uid', { ...owner('keeper'), uid: 5 }),
  refused('a text as controller', { ...owner('keeper'), controller: 'yes' }),
  { ...createMap('refused', { ownerReferences: 'x' }), name: 'a text as owners' },
  { ...createMap('refused', { ownerReferences: ['x'] }), name: 'texts as owners' },
]

export const steps: readonly Step[] = [
  createMap('keeper'),
  createMap('second'),
  ...REFUSALS,
  owned('kept', owner('keeper')),
  owned('controlled', owner('keeper', { controller: true, blockOwnerDeletion: true })),
  { ...owned('twice', owner('keeper'), owner('keeper')), name: 'the same owner twice' },
  { ...owned('twice-other', owner('keeper'), owner('keeper', { controller: false })), name: 'an owner in two ways' },
  owned('both', owner('keeper'), owner('second')),
  patch('a second controller', `${MAPS}/controlled`, {
    metadata: { ownerReferences: [owner('keeper', { controller: true }), owner('second', { controller: true })] },
  }),
  patch('another controller', `${MAPS}/controlled`, {
    metadata: { ownerReferences: [owner('second', { controller: true })] },
  }),
  patch('no owner any more', `${MAPS}/both`, { metadata: { ownerReferences: null } }),
  patch('owned again', `${MAPS}/both`, { metadata: { ownerReferences: [owner('second')] } }),

  owned('of-nobody', { ...owner('keeper'), name: 'nobody', uid: UNKNOWN_UID }),
  goes('of-nobody'),
  owned('wrong-uid', { ...owner('keeper'), uid: UNKNOWN_UID }),
  goes('wrong-uid'),
  owned('wrong-name', { ...owner('keeper'), name: 'nobody' }),
  owned('wrong-kind', { ...owner('keeper'), kind: 'Secret' }),
  owned('unknown-kind', { ...owner('keeper'), kind: 'Thing' }),
  owned('unknown-group', { ...owner('keeper'), apiVersion: 'none.example.com/v1' }),
  owned('absent-and-present', { ...owner('keeper'), name: 'nobody', uid: UNKNOWN_UID }, owner('keeper')),
  get('the absent one is dropped', `${MAPS}/absent-and-present`, { until: hasOneOwner }),

  {
    name: 'create another namespace',
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { metadata: { name: '{ns}-other' } },
  },
  { ...owned('far', owner('keeper')), name: 'owned across namespaces', path: `${OTHER}/configmaps` },
  get('it goes: its owner is not there', `${OTHER}/configmaps/far`, { until: 404 }),
  remove('delete the other namespace', OTHER),

  clusterRole('boss'),
  owned('of-role', roleOwner('boss')),
  clusterRole('part', { ownerReferences: [roleOwner('boss')] }),
  clusterRole('stray', { ownerReferences: [owner('keeper')] }),
  clusterRole('orphaned', { ownerReferences: [{ ...roleOwner('boss'), uid: UNKNOWN_UID }] }),
  get('a cluster role of nobody goes', `${ROLES}/{ns}-orphaned`, { until: 404 }),
  get('what a cluster role owns stays', `${MAPS}/of-role`),
  remove('delete the cluster role', `${ROLES}/{ns}-boss`),
  get('what it owned goes', `${MAPS}/of-role`, { until: 404 }),
  get('its part goes', `${ROLES}/{ns}-part`, { until: 404 }),
  get('a cluster role that a map should own stays', `${ROLES}/{ns}-stray`),
  remove('delete it by hand', `${ROLES}/{ns}-stray`),

  stays('kept'),
  stays('unknown-kind'),
  stays('unknown-group'),
  remove('delete the second', `${MAPS}/second`),
  goes('controlled'),
  goes('both'),
  remove('delete the keeper', `${MAPS}/keeper`),
  goes('kept'),
  goes('absent-and-present'),
  patch('adopt late', `${MAPS}/unknown-kind`, { metadata: { ownerReferences: [{ ...owner('keeper') }] } }),
  goes('unknown-kind'),
  get('who is left', MAPS),
]

function hasOneOwner(body: unknown): boolean {
  return !JSON.stringify(body).includes('"name":"nobody"')
}
