import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const tried = (name: string, spec: JsonObject): Step => ({
  name,
  method: 'POST',
  path: '/api/v1/namespaces/{ns}/services?dryRun=All',
  // Of headless ones, which get no address: those differ from run to run.
  body: { metadata: { name: 's' }, spec: { ports: [{ port: 80 }], clusterIP: 'None', selector: { a: 'b' }, ...spec } },
})
const outside = (name: string, ...externalIPs: string[]): Step => tried(`external addresses ${name}`, { externalIPs })
const ranges = (name: string, ...loadBalancerSourceRanges: string[]): Step =>
  tried(`source ranges ${name}`, { loadBalancerSourceRanges })

export const steps: readonly Step[] = [
  outside('of anywhere', '8.8.8.8', '2001:db8::1'),
  outside('of the machine itself', '127.0.0.1', '::1'),
  outside('of nowhere', '0.0.0.0', '::'),
  outside('of the link', '169.254.1.1', 'fe80::1'),
  outside('of everybody on the link', '224.0.0.1', 'ff02::1'),
  outside('that are none', 'x', ''),
  outside('with zeros in front', '010.0.0.1'),
  outside('of IPv4 in IPv6', '::ffff:10.0.0.1'),
  tried('close', { trafficDistribution: 'PreferClose' }),
  tried('in the zone', { trafficDistribution: 'PreferSameZone' }),
  tried('on the node', { trafficDistribution: 'PreferSameNode' }),
  tried('anywhere', { trafficDistribution: 'Anywhere' }),
  tried('nowhere', { trafficDistribution: '' }),
  ranges('of a wrong form', '10.0.0.0', '10.0.0.1/8', '010.0.0.0/8'),
  tried('an affinity without a time', { sessionAffinity: 'ClientIP' }),
  tried('an affinity of a time', {
    sessionAffinity: 'None',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 1 } },
  }),
  tried('an affinity for long', {
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } },
  }),
]
