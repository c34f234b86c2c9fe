import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { ObjectSteps } from '../object-steps.ts'
import { TABLE } from '../table-steps.ts'

const GROUP = '/apis/flowcontrol.apiserver.k8s.io/v1'
const SCHEMAS = `${GROUP}/flowschemas`
const LEVELS = `${GROUP}/prioritylevelconfigurations`

const everyone = { kind: 'Group', group: { name: 'system:authenticated' } }
const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true }
const rule = { subjects: [everyone], resourceRules: [everything] }
const schemaSpec = { priorityLevelConfiguration: { name: 'workload-low' }, rules: [rule] }
const schema = (name: string, spec: JsonObject): Step => ({
  name: `a FlowSchema with ${name}`,
  method: 'POST',
  path: `${SCHEMAS}?dryRun=All`,
  body: { metadata: { name: 'contract' }, spec: { ...schemaSpec, ...spec } },
})
const ruled = (name: string, ...rules: readonly JsonObject[]): Step => schema(name, { rules: [...rules] })
const about = (name: string, subject: JsonObject): Step => ruled(`a subject ${name}`, { ...rule, subjects: [subject] })
const resources = (name: string, more: JsonObject): Step =>
  ruled(`a resource rule of ${name}`, { ...rule, resourceRules: [{ ...everything, ...more }] })
const urls = (name: string, more: JsonObject): Step =>
  ruled(`a rule about paths of ${name}`, {
    subjects: [everyone],
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'], ...more }],
  })

const queuing = { queues: 64, handSize: 6, queueLengthLimit: 50 }
const level = (name: string, spec: JsonObject, metadata: JsonObject = {}): Step => ({
  name: `a level with ${name}`,
  method: 'POST',
  path: `${LEVELS}?dryRun=All`,
  body: { metadata: { name: 'contract', ...metadata }, spec },
})
const limited = (name: string, more: JsonObject): Step => level(name, { type: 'Limited', limited: more })
const queued = (name: string, more: JsonValue): Step =>
  limited(`queues: ${name}`, { limitResponse: { type: 'Queue', queuing: more } })

const change = (name: string, path: string, spec: JsonObject): Step => ({
  name,
  method: 'PATCH',
  path: `${path}?dryRun=All`,
  headers: { 'content-type': 'application/merge-patch+json' },
  body: { spec },
})

const own = new ObjectSteps('Schema', SCHEMAS, 'flowcontrol.apiserver.k8s.io/v1 FlowSchema', '-{ns}')
const ownLevel = new ObjectSteps('Level', LEVELS, 'flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration', '-{ns}')

/** Once the server has said of a schema whether its level is there. */
const judged =
  (reason: string) =>
  (body: JsonValue): boolean =>
    isJsonObject(body) && JSON.stringify(body.status).includes(`"reason":"${reason}"`)

const lives: readonly Step[] = [
  own.create({ spec: { ...schemaSpec, priorityLevelConfiguration: { name: 'level-{ns}' } } }),
  own.get('its level is missing', { until: judged('NotFound') }),
  own.get('in a table', { headers: { accept: TABLE } }),
  ownLevel.create({ spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } }),
  ownLevel.get(),
  ownLevel.get('in a table', { headers: { accept: TABLE } }),
  own.get('its level is there', { until: judged('Found') }),
  own.patch('a generation more', 'merge', { spec: { matchingPrecedence: 77 } }),
  own.patch('not through its status', 'merge', { spec: { matchingPrecedence: 78 } }, { subresource: 'status' }),
  own.patch(
    'a status of its own',
    'merge',
    { status: { conditions: [{ type: 'A' }] } },
    { subresource: 'status', query: 'dryRun=All' },
  ),
  own.patch(
    'two conditions of a type',
    'merge',
    { status: { conditions: [{ type: 'A' }, { type: 'A' }] } },
    { subresource: 'status' },
  ),
  own.patch(
    'a condition of no type',
    'merge',
    { status: { conditions: [{ status: 'True' }] } },
    { subresource: 'status' },
  ),
  own.patch('bad labels', 'merge', { metadata: { labels: { 'a b': 'c d' } } }),
  own.patch(
    'a finalizer through its status',
    'merge',
    { metadata: { finalizers: ['a.b/c'] } },
    { subresource: 'status' },
  ),
  own.apply('applied', 'alice', { spec: { ...schemaSpec, matchingPrecedence: 99 } }, { unordered: true }),
  own.apply('applied by force', 'alice!', { spec: { ...schemaSpec, matchingPrecedence: 99 } }, { query: 'dryRun=All' }),
  ownLevel.patch('another answer', 'merge', { spec: { limited: { limitResponse: { type: 'Queue' } } } }),
  ownLevel.patch('queues', 'merge', { spec: { limited: { limitResponse: { type: 'Queue', queuing: {} } } } }),
  ownLevel.patch('shares', 'merge', { spec: { limited: { nominalConcurrencyShares: null } } }),
  ownLevel.get('in a table with queues', { headers: { accept: TABLE } }),
  own.delete(),
  ownLevel.delete(),
]

const defaults: readonly Step[] = [
  { name: 'the levels from the start', method: 'GET', path: `${LEVELS}?resourceVersion=0`, unordered: true },
  { name: 'the schema of the exempt', method: 'GET', path: `${SCHEMAS}/exempt` },
  { name: 'the schema of all others', method: 'GET', path: `${SCHEMAS}/catch-all` },
  { name: 'the schema of nodes', method: 'GET', path: `${SCHEMAS}/system-nodes` },
  change('the fixed schema changed', `${SCHEMAS}/exempt`, { matchingPrecedence: 2 }),
  change('the last schema changed', `${SCHEMAS}/catch-all`, { distinguisherMethod: null }),
  change('the fixed level changed', `${LEVELS}/catch-all`, { limited: { nominalConcurrencyShares: 6 } }),
  change('the exempt level changed', `${LEVELS}/exempt`, { exempt: { nominalConcurrencyShares: 5 } }),
  change('the exempt level limited', `${LEVELS}/exempt`, { type: 'Limited', exempt: null, limited: {} }),
  change('a suggested schema changed', `${SCHEMAS}/probes`, { matchingPrecedence: 3 }),
]

/** Priority levels and flow schemas: they are kept and judged, and hold up no request. */
export const steps: readonly Step[] = [
  schema('the least', {}),
  schema('no precedence', { matchingPrecedence: 0 }),
  schema('a negative precedence', { matchingPrecedence: -1 }),
  schema('the first precedence', { matchingPrecedence: 1 }),
  schema('too great a precedence', { matchingPrecedence: 10_001 }),
  schema('a method', { distinguisherMethod: { type: 'ByNamespace' } }),
  schema('another method', { distinguisherMethod: { type: 'ByLuck' } }),
  schema('no level', { priorityLevelConfiguration: {} }),
  schema('a bad level', { priorityLevelConfiguration: { name: 'A b' } }),
  schema('no rules', { rules: null }),
  ruled('an empty rule', {}),
  ruled('no subjects', { ...rule, subjects: [] }),
  about('of no kind', {}),
  about('of another kind', { kind: 'Robot' }),
  about('that is missing', { kind: 'User' }),
  about('of no account', { kind: 'ServiceAccount' }),
  about('of a nameless account', { kind: 'ServiceAccount', serviceAccount: { name: '', namespace: '' } }),
  about('of a bad account', { kind: 'ServiceAccount', serviceAccount: { name: 'A', namespace: 'B.c' } }),
  about('of all accounts', { kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: 'a' } }),
  about('of a nameless group', { kind: 'Group', group: { name: '' } }),
  about('of several', {
    kind: 'Group',
    group: { name: 'g' },
    user: { name: 'u' },
    serviceAccount: { name: 'a', namespace: 'b' },
  }),
  about('of several users', {
    kind: 'User',
    user: { name: 'u' },
    group: { name: 'g' },
    serviceAccount: { name: 'a', namespace: 'b' },
  }),
  about('of an account and others', {
    kind: 'ServiceAccount',
    user: { name: 'u' },
    group: { name: 'g' },
    serviceAccount: { name: 'a', namespace: 'b' },
  }),
  resources('nothing', { verbs: [], apiGroups: [], resources: [], clusterScope: false }),
  resources('everything and more', {
    verbs: ['*', 'get'],
    apiGroups: ['*', 'a'],
    resources: ['*', 'b'],
    namespaces: ['*', 'c'],
  }),
  resources('an unknown verb', { verbs: ['get', 'fly'] }),
  resources('bad namespaces', { namespaces: ['a', 'B', 'c.d', ''] }),
  urls('health', {}),
  urls('nothing', { verbs: [], nonResourceURLs: [] }),
  urls('everything and more', { verbs: ['*', 'get'], nonResourceURLs: ['*', '/a'] }),
  urls('all kinds', { nonResourceURLs: ['/', '', 'a', '/a b', '/a//b', '/a/*', '/a*', '/*/*', '/*/b'] }),
  urls('an unknown verb', { verbs: ['fly'] }),
  level('nothing', {}),
  level('another type', { type: 'Free' }),
  level('exemption', { type: 'Exempt' }),
  level(
    'the annotation of an old version',
    { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
    { annotations: { 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares': '' } },
  ),
  level('a limit and no limits', { type: 'Limited' }),
  level(
    'exemption and limits',
    {
      type: 'Exempt',
      limited: { limitResponse: { type: 'Reject' } },
      exempt: { nominalConcurrencyShares: -1, lendablePercent: 101 },
    },
    { name: 'exempt' },
  ),
  level('both', { type: 'Limited', limited: { limitResponse: { type: 'Reject' } }, exempt: {} }),
  limited('limits', { limitResponse: { type: 'Reject' } }),
  limited('no shares', { nominalConcurrencyShares: 0, limitResponse: { type: 'Reject' } }),
  limited('negative shares', {
    nominalConcurrencyShares: -1,
    lendablePercent: -1,
    borrowingLimitPercent: -1,
    limitResponse: { type: 'Reject' },
  }),
  limited('no answer', {}),
  limited('another answer', { limitResponse: { type: 'Later' } }),
  limited('refusals and queues', { limitResponse: { type: 'Reject', queuing } }),
  limited('queues of nothing', { limitResponse: { type: 'Queue' } }),
  queued('the least', {}),
  queued('whole', queuing),
  queued('negative', { queues: -1, handSize: -1, queueLengthLimit: -1 }),
  queued('too many', { queues: 10_000_001, handSize: 1 }),
  queued('too large a hand', { queues: 4, handSize: 5 }),
  queued('too much chance', { queues: 1024, handSize: 7 }),
  ...defaults,
  ...lives,
]
