import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { ObjectSteps } from '../object-steps.ts'

const PATH = '/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices'
const KIND = 'discovery.k8s.io/v1 EndpointSlice'
const names = (count: number): JsonObject[] => Array.from({ length: count }, (_, index) => ({ name: `n${index}` }))
const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `1.1.1.${index + 1}`)
const endpoint = (fields: JsonObject): JsonObject => ({ endpoints: [{ addresses: ['1.1.1.1'], ...fields }] })
const ports = (...list: JsonObject[]): JsonObject => ({ ports: list })

/** Of IPv4, by trial. */
const cases: readonly (readonly [what: string, fields: JsonObject])[] = [
  ['no type', { addressType: null, ...endpoint({ addresses: ['1.1.1.1', 'x'] }) }],
  ['an unknown type', { addressType: 'IPv5', ...endpoint({ addresses: ['x'] }) }],
  ['names', { addressType: 'FQDN', ...endpoint({ addresses: ['a.example', '-'] }) }],
  ['other addresses', endpoint({ addresses: ['::1', 'x', '127.0.0.1', '8.8.8.8'] })],
  ['IPv6', { addressType: 'IPv6', ...endpoint({ addresses: ['2001:db8::1', '1.1.1.1'] }) }],
  ['no addresses', endpoint({ addresses: [] })],
  ['many addresses', endpoint({ addresses: many(101) })],
  ['many endpoints', { endpoints: Array.from({ length: 1001 }, () => ({ addresses: [] })) }],
  ['wrong names', endpoint({ nodeName: '-', hostname: 'a.b' })],
  ['hints', endpoint({ hints: { forZones: [{ name: 'a' }, { name: 'a' }, { name: '-' }], forNodes: names(9) } })],
  ['many zones', endpoint({ hints: { forZones: names(9) } })],
  ['nodes', endpoint({ hints: { forNodes: [{ name: 'a' }, { name: 'a' }, { name: '-' }] } })],
  ['a topology of old', endpoint({ deprecatedTopology: { a: 'b' } })],
  ['names of ports', ports({ name: 'A' }, { name: 'a--b' }, { name: 'a--b' }, { name: 'a'.repeat(64) }, {}, {})],
  ['protocols', ports({ name: 'a', protocol: 'ICMP' }, { name: 'b', protocol: '' }, { name: 'c', appProtocol: '-' })],
  ['empty lists', { endpoints: [], ports: [] }],
  ['nothing', {}],
]
const slice = new ObjectSteps('slice', PATH, KIND)
const IPV4 = { addressType: 'IPv4' }

export const steps: readonly Step[] = [
  ...cases.map(([what, fields]) =>
    new ObjectSteps(what, PATH, KIND).create({ ...IPV4, ...fields }, { query: 'dryRun=All', unordered: true }),
  ),
  slice.create(IPV4),
  slice.patch('empty lists', 'merge', { endpoints: [], ports: [] }),
  slice.patch('an annotation', 'merge', { metadata: { annotations: { a: 'b' } } }),
  slice.patch('a label', 'merge', { metadata: { labels: { a: 'b' } } }),
  slice.apply('empty lists by another', 'alice', { ...IPV4, ports: [] }),
  slice.apply('null by another', 'bob', { ...IPV4, endpoints: null }),
  slice.patch('another type', 'merge', { addressType: 'IPv6' }),
  slice.patch('a topology of old', 'merge', endpoint({ deprecatedTopology: { a: 'b' } })),
]
