import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const POLICIES = '/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies?dryRun=All'

const tried = (name: string, spec: JsonObject): Step => ({
  name,
  method: 'POST',
  path: POLICIES,
  body: { metadata: { name: 'n' }, spec: { podSelector: {}, ...spec } },
})
const from = (name: string, ...peers: JsonValue[]): Step => tried(name, { ingress: [{ from: peers }] })
const block = (cidr: string, ...except: string[]): JsonObject => ({ ipBlock: { cidr, except } })

export const steps: readonly Step[] = [
  from('a block beside pods', { ...block('10.0.0.0/8'), podSelector: {} }),
  from('a block beside namespaces', { ...block('10.0.0.0/8'), namespaceSelector: {} }),
  from('pods of namespaces', { podSelector: {}, namespaceSelector: {} }),
  tried('a block beside pods, outwards', { egress: [{ to: [{ ...block('10.0.0.0/8'), podSelector: {} }] }] }),
  from('within the block', block('10.0.0.0/8', '10.1.0.0/16', '10.255.255.255/32')),
  from('outside the block', block('10.0.0.0/8', '10.1.0.0/16', '11.0.0.0/16')),
  from('the block itself', block('10.0.0.0/8', '10.0.0.0/8')),
  from('around the block', block('10.0.0.0/8', '10.0.0.0/7')),
  from('of the other family', block('10.0.0.0/8', 'fd00::/64'), block('fd00::/48', '10.0.0.0/8')),
  from('within a block of IPv6', block('fd00:1::/48', 'fd00:1:0:1::/64', 'fd00:1::ffff:102:304/128')),
  from('outside a block of IPv6', block('fd00:1::/48', 'fd00:2::/64', 'FD00:1:0::/47')),
  from('no blocks', block('10.0.0.0/8', 'x', '10.0.0.0', '')),
  from('within no block', block('x', '10.0.0.0/8')),
  from('a block without a range', { ipBlock: { cidr: '' } }, { ipBlock: { cidr: '', except: ['x'] } }),
  from('bits beyond the range', block('10.1.2.3/8', '10.4.5.6/16'), block('10.1.2.3/0', '0.0.0.0/1')),
  from('zeros in front', block('010.001.0.0/16', '10.1.2.0/024'), block('10.0.0.0/08')),
  from('IPv4 in IPv6', block('::ffff:10.0.0.0/104', '10.1.0.0/16'), block('10.0.0.0/8', '::ffff:10.1.0.0/112')),
  tried('three types', { policyTypes: ['Ingress', 'Egress', 'Ingress'] }),
  tried('three wrong types', { policyTypes: ['A', 'B', 'C'] }),
  tried('wrong types', { policyTypes: ['ingress', 'Egress'] }),
  tried('one type twice', { policyTypes: ['Egress', 'Egress'] }),
  tried('no types', { policyTypes: [] }),
]
