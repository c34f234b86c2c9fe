import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const once = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }
const anyway = { ...once, whenUnsatisfiable: 'ScheduleAnyway' }
const labelSelector = { matchLabels: { a: 'b' } }

/** By trial. */
const cases: readonly (readonly [what: string, constraints: readonly JsonObject[]])[] = [
  ['each topology for each action', [once, anyway, { ...once, topologyKey: 'host' }]],
  ['a topology twice', [once, anyway, anyway, once, once]],
  ['nothing said', [{}]],
  ['numbers', [{ ...once, maxSkew: 0, minDomains: 0 }]],
  ['domains that are wanted only', [{ ...anyway, minDomains: 2 }]],
  ['domains', [{ ...once, minDomains: 2 }]],
  ['policies', [{ ...once, nodeAffinityPolicy: 'Honor', nodeTaintsPolicy: 'Ignore' }]],
  ['unknown policies', [{ ...once, nodeAffinityPolicy: 'Obey', nodeTaintsPolicy: '' }]],
  ['keys without a selector', [{ ...once, matchLabelKeys: ['a'] }]],
  ['keys', [{ ...once, matchLabelKeys: ['c', '-'], labelSelector }]],
  ['a wrong selector', [{ ...once, labelSelector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } }]],
]

export const steps: readonly Step[] = cases.map(
  ([name, topologySpreadConstraints]): Step => ({
    name,
    method: 'POST',
    path: '/api/v1/namespaces/{ns}/podtemplates?dryRun=All',
    body: {
      metadata: { name: 'a' },
      template: { spec: { containers: [{ name: 'a', image: 'a' }], topologySpreadConstraints } },
    },
    unordered: true,
  }),
)
