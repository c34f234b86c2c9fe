import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { ObjectSteps } from '../object-steps.ts'
import { TABLE } from '../table-steps.ts'

const GROUP = '/apis/resource.k8s.io/v1'
const CLAIMS = `${GROUP}/namespaces/{ns}/resourceclaims`
const TEMPLATES = `${GROUP}/namespaces/{ns}/resourceclaimtemplates`

const post = (name: string, path: string, body: JsonObject): Step => ({
  name,
  method: 'POST',
  path: `${path}?dryRun=All`,
  body: { ...body, metadata: { name: 'contract', ...(body.metadata as JsonObject | undefined) } },
})

const deviceClass = (name: string, spec: JsonObject): Step =>
  post(`a class with ${name}`, `${GROUP}/deviceclasses`, { spec })
const cel = (expression: string): JsonObject => ({ cel: { expression } })
const selected = (name: string, expression: string): Step =>
  deviceClass(`a selector: ${name}`, { selectors: [cel(expression)] })
const opaque = (more: JsonObject = {}): JsonObject => ({
  opaque: { driver: 'a.example.com', parameters: { a: 1 }, ...more },
})

const exactly = { deviceClassName: 'gpu' }
const request = { name: 'one', exactly }
const claim = (name: string, devices: JsonObject): Step => post(`a claim with ${name}`, CLAIMS, { spec: { devices } })
const requested = (name: string, ...requests: JsonObject[]): Step => claim(name, { requests })
const exact = (name: string, more: JsonObject): Step =>
  requested(`a request ${name}`, { name: 'one', exactly: { ...exactly, ...more } })
const tolerated = (name: string, toleration: JsonObject): Step =>
  exact(`that tolerates ${name}`, { tolerations: [toleration] })
const constrained = (name: string, constraint: JsonObject): Step =>
  claim(`a constraint ${name}`, { requests: [request], constraints: [constraint] })
const configured = (name: string, config: JsonObject): Step =>
  claim(`a configuration ${name}`, { requests: [request], config: [config] })

const pool = { name: 'pool', resourceSliceCount: 1, generation: 1 }
const slice = (name: string, spec: JsonObject): Step =>
  post(`a slice with ${name}`, `${GROUP}/resourceslices`, {
    spec: { driver: 'a.example.com', nodeName: 'node', pool, ...spec },
  })
const device = (name: string, more: JsonObject): Step =>
  slice(`a device ${name}`, { devices: [{ name: 'd', ...more }] })
const attributes = (name: string, all: JsonObject): Step => device(`with attributes ${name}`, { attributes: all })

const classes: readonly Step[] = [
  deviceClass('nothing', {}),
  selected('a driver', 'device.driver == "a.example.com"'),
  selected('an attribute', 'device.attributes["a.example.com"].model == "x"'),
  selected('an attribute alone', 'device.attributes["a.example.com"].fine'),
  selected('a capacity', 'device.capacity["a.example.com"].memory.compareTo(quantity("1Gi")) >= 0'),
  selected('bindings', 'cel.bind(a, device.attributes["a.example.com"], a.x == 1 && a.y == "z")'),
  selected('several allocations', 'device.allowMultipleAllocations == true'),
  selected('a text', 'device.driver'),
  selected('nothing', ''),
  selected('what does not parse', 'device.driver =='),
  selected('an unknown field', 'device.colour == "red"'),
  selected('an unknown variable', 'thing.driver == "x"'),
  selected('a wrong type', 'device.driver == 1'),
  selected('an expression that is too long', `"${'x'.repeat(10_240)}" == device.driver`),
  selected(
    'an expression that costs too much',
    'device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, device.attributes.all(d, device.attributes.all(e, a == b && c == d && d == e)))))',
  ),
  deviceClass('an empty selector', { selectors: [{}] }),
  deviceClass('33 selectors', { selectors: Array.from({ length: 33 }, () => cel('true')) }),
  deviceClass('a configuration', { config: [opaque()] }),
  deviceClass('an empty configuration', { config: [{}] }),
  deviceClass('a configuration of no driver', { config: [opaque({ driver: '' })] }),
  deviceClass('a configuration of a bad driver', { config: [opaque({ driver: 'A_b' })] }),
  deviceClass('a configuration without parameters', { config: [opaque({ parameters: null })] }),
  deviceClass('parameters that are no object', { config: [opaque({ parameters: [] })] }),
  deviceClass('parameters that are too long', { config: [opaque({ parameters: { a: 'x'.repeat(10_240) } })] }),
  deviceClass('an extended resource', { extendedResourceName: 'example.com/gpu' }),
  deviceClass('a bad extended resource', { extendedResourceName: 'cpu' }),
]

const claims: readonly Step[] = [
  claim('nothing', {}),
  requested('a request', request),
  requested('an empty request', {}),
  requested('a request of a bad name', { ...request, name: 'A.b' }),
  requested('a request twice', request, request),
  requested('33 requests', ...Array.from({ length: 33 }, (_, index) => ({ ...request, name: `r${index}` }))),
  requested('a request of nothing', { name: 'one' }),
  requested('a request of both', { ...request, firstAvailable: [{ name: 'a', ...exactly }] }),
  requested('choices', {
    name: 'one',
    firstAvailable: [
      { name: 'a', ...exactly },
      { name: 'b', ...exactly, count: 2 },
    ],
  }),
  requested('a choice twice', {
    name: 'one',
    firstAvailable: [
      { name: 'a', ...exactly },
      { name: 'a', ...exactly },
    ],
  }),
  requested('nine choices', {
    name: 'one',
    firstAvailable: Array.from({ length: 9 }, (_, index) => ({ name: `r${index}`, ...exactly })),
  }),
  requested('a bad choice', {
    name: 'one',
    firstAvailable: [{ name: 'A', deviceClassName: '', allocationMode: 'Some' }],
  }),
  exact('of no class', { deviceClassName: '' }),
  exact('of a bad class', { deviceClassName: 'A_b' }),
  exact('of all', { allocationMode: 'All' }),
  exact('of all and a count', { allocationMode: 'All', count: 2 }),
  exact('of a negative count', { count: -1 }),
  exact('of another mode', { allocationMode: 'Some' }),
  exact('with a selector', { selectors: [cel('device.driver == "x"')] }),
  exact('with a bad selector', { selectors: [cel('1')] }),
  exact('of an administrator', { adminAccess: true }),
  exact('with a capacity', { capacity: { requests: { memory: '1Gi' } } }),
  tolerated('everything', { operator: 'Exists' }),
  tolerated('a value', { key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule' }),
  tolerated('nothing', {}),
  tolerated('a bad key', { key: 'a b', operator: 'Equal', value: 'c d', effect: 'Never' }),
  tolerated('any value of a value', { operator: 'Exists', value: 'b' }),
  tolerated('in another way', { operator: 'Like' }),
  constrained('of an attribute', { matchAttribute: 'a.example.com/model' }),
  constrained('of another attribute', { distinctAttribute: 'a.example.com/model' }),
  constrained('of nothing', {}),
  constrained('of no domain', { matchAttribute: 'model' }),
  constrained('of a bad attribute', { matchAttribute: '/a-b' }),
  constrained('of an unknown request', { requests: ['two'], matchAttribute: 'a.example.com/model' }),
  constrained('of a request twice', { requests: ['one', 'one'], matchAttribute: 'a.example.com/model' }),
  constrained('of a request within a request', {
    requests: ['one/two', 'a/b/c', 'A'],
    matchAttribute: 'a.example.com/model',
  }),
  configured('of a driver', opaque()),
  configured('of a request', { requests: ['one'], ...opaque() }),
  configured('of an unknown request', { requests: ['two'], ...opaque() }),
  configured('of nothing', {}),
  post('a template', TEMPLATES, {
    spec: { metadata: { labels: { a: 'b' } }, spec: { devices: { requests: [request] } } },
  }),
  post('a template of bad labels', TEMPLATES, { spec: { metadata: { labels: { 'a b': 'c d' } }, spec: {} } }),
  post('a template of a bad request', TEMPLATES, { spec: { spec: { devices: { requests: [{ name: 'A' }] } } } }),
]

const slices: readonly Step[] = [
  slice('no devices', {}),
  slice('no driver', { driver: '' }),
  slice('a bad driver', { driver: 'A_b' }),
  slice('a pool of nothing', { pool: {} }),
  slice('a bad pool', { pool: { name: 'A//b', resourceSliceCount: -1, generation: -1 } }),
  slice('a bad node', { nodeName: 'A_b' }),
  slice('an empty node', { nodeName: '' }),
  slice('no node', { nodeName: null }),
  slice('all nodes', { nodeName: null, allNodes: true }),
  slice('a node and all nodes', { allNodes: true }),
  slice('not all nodes', { nodeName: null, allNodes: false, perDeviceNodeSelection: false }),
  slice('nodes of a label', {
    nodeName: null,
    nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }] },
  }),
  slice('129 devices', { devices: Array.from({ length: 129 }, (_, index) => ({ name: `d${index}` })) }),
  slice('a device twice', { devices: [{ name: 'a' }, { name: 'a' }] }),
  slice('counters and devices', {
    sharedCounters: [{ name: 'c', counters: { a: { value: '1' } } }],
    devices: [{ name: 'a' }],
  }),
  slice('counters', { sharedCounters: [{ name: 'c', counters: { a: { value: '1' } } }] }),
  slice('bad counters', { sharedCounters: [{ name: 'C', counters: {} }, { name: 'C' }] }),
  device('', {}),
  device('of a bad name', { name: 'A.b' }),
  attributes('of all types', {
    a: { string: 's' },
    b: { int: 1 },
    c: { bool: true },
    'x.example.com/d': { version: '1.2.3' },
  }),
  attributes('of no value', { a: {} }),
  attributes('of two values', { a: { string: 's', int: 1 } }),
  attributes('that are too long', { a: { string: 'x'.repeat(65) } }),
  attributes('of a bad version', { a: { version: 'v1' } }),
  attributes('of a bad name', { 'a-b': { int: 1 } }),
  attributes('of a bad domain', { 'A_b/c': { int: 1 } }),
  attributes('of no domain', { '/c': { int: 1 } }),
  attributes('of no name', { 'a.b/': { int: 1 } }),
  attributes('of a long name', { ['x'.repeat(33)]: { int: 1 } }),
  device('with 33 attributes', {
    attributes: Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`a${index}`, { int: 1 }])),
  }),
  device('with a capacity', { capacity: { memory: { value: '1Gi' } } }),
  device('with a taint', { taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }] }),
  device('with a bad taint', { taints: [{ key: 'a b', value: 'c d', effect: 'Never' }] }),
  device('with an empty taint', { taints: [{}] }),
  device('on a node', { nodeName: 'node' }),
  device('that consumes counters', { consumesCounters: [{ counterSet: 'c', counters: { a: { value: '1' } } }] }),
  device('that consumes nothing', { consumesCounters: [{}] }),
  device('with conditions', { bindsToNode: true, bindingConditions: ['a'], bindingFailureConditions: ['b'] }),
  device('with bad conditions', { bindingConditions: ['a b', 'a', 'a'], bindingFailureConditions: ['a'] }),
  device('with conditions of one kind', { bindingConditions: ['a'] }),
]

const own = new ObjectSteps('Claim', CLAIMS, 'resource.k8s.io/v1 ResourceClaim')
const template = new ObjectSteps('Template', TEMPLATES, 'resource.k8s.io/v1 ResourceClaimTemplate')
const ownClass = new ObjectSteps('Class', `${GROUP}/deviceclasses`, 'resource.k8s.io/v1 DeviceClass', '-{ns}')
const ownSlice = new ObjectSteps('Slice', `${GROUP}/resourceslices`, 'resource.k8s.io/v1 ResourceSlice', '-{ns}')
const result = { request: 'one', driver: 'a.example.com', pool: 'pool', device: 'd' }
const allocation = { devices: { results: [result] } }
const status = (name: string, body: JsonObject, query = 'dryRun=All'): Step =>
  own.patch(name, 'merge', { status: body }, { subresource: 'status', query })
/** No controller knows it. */
const consumer = { apiGroup: 'example.com', resource: 'things', name: 'p', uid: 'u' }
const reserved: JsonValue = [consumer]

const lives: readonly Step[] = [
  own.create({ spec: { devices: { requests: [request] } }, status: { allocation } }),
  own.get('in a table', { headers: { accept: TABLE } }),
  own.patch('another spec', 'merge', { spec: { devices: { requests: [{ ...request, name: 'two' }] } } }),
  own.patch('labels', 'merge', { metadata: { labels: { a: 'b' } } }),
  own.patch('a status through the spec', 'merge', { status: { allocation } }),
  status('reserved without an allocation', { reservedFor: reserved }),
  status('allocated', { allocation, reservedFor: reserved }),
  status('reserved for nothing', { allocation, reservedFor: [{}] }),
  status('reserved twice', {
    allocation,
    reservedFor: [
      { resource: 'pods', name: 'p', uid: 'u' },
      { resource: 'pods', name: 'q', uid: 'u' },
    ],
  }),
  status('allocated badly', {
    allocation: { devices: { results: [{ request: 'two', driver: '', pool: '', device: 'A' }] } },
  }),
  status('allocated for good', { allocation, reservedFor: reserved }, ''),
  own.get('allocated in a table', { headers: { accept: TABLE } }),
  status('allocated otherwise', { allocation: { devices: { results: [{ ...result, device: 'e' }] } } }),
  status('a device', { devices: [{ driver: 'a.example.com', pool: 'pool', device: 'd', data: { a: 1 } }] }),
  status('another device', { devices: [{ driver: 'a.example.com', pool: 'pool', device: 'e' }] }),
  status('a device twice', { devices: [result, result].map(({ request: _, ...named }) => named) }),
  status('given back', { allocation: null, reservedFor: null }),
  status('given back for good', { allocation: null, reservedFor: null, devices: null }, ''),
  own.apply('applied', 'alice', { spec: { devices: { requests: [request] } } }, { unordered: true }),
  own.delete(),
  template.create({ spec: { spec: { devices: { requests: [request] } } } }),
  template.patch('another spec', 'merge', { spec: { metadata: { labels: { a: 'b' } } } }),
  template.get('in a table', { headers: { accept: TABLE } }),
  template.delete(),
  ownClass.create({ spec: { selectors: [cel('true')] } }),
  ownClass.patch('another selector', 'merge', { spec: { selectors: [cel('false')] } }),
  ownClass.patch('a bad selector', 'merge', { spec: { selectors: [cel('no')] } }),
  ownClass.patch('bad labels', 'merge', { metadata: { labels: { 'a b': 'c' } } }),
  ownClass.get('in a table', { headers: { accept: TABLE } }),
  ownClass.delete(),
  ownSlice.create({
    spec: { driver: 'a.example.com', nodeName: 'node', pool, devices: [{ name: 'd', attributes: { a: { int: 1 } } }] },
  }),
  ownSlice.get('in a table', { headers: { accept: TABLE } }),
  ownSlice.patch('a generation more', 'merge', { spec: { pool: { generation: 2 } } }),
  ownSlice.patch('another node', 'merge', { spec: { nodeName: 'other' } }),
  ownSlice.patch('another driver and pool', 'merge', { spec: { driver: 'b.example.com', pool: { name: 'other' } } }),
  {
    name: 'slices of a node',
    method: 'GET',
    path: `${GROUP}/resourceslices?fieldSelector=spec.nodeName%3Dnode,spec.driver%3Da.example.com`,
  },
  { name: 'slices of an unknown field', method: 'GET', path: `${GROUP}/resourceslices?fieldSelector=spec.pool%3Dnode` },
  ownSlice.delete(),
]

/** Devices that can be claimed: classes, claims, templates of claims, and slices of what there is. */
export const steps: readonly Step[] = [...classes, ...claims, ...slices, ...lives]
