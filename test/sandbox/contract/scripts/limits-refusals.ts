import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { ObjectSteps } from '../object-steps.ts'

const CORE = '/api/v1/namespaces/{ns}'

/** Each by trial: no object is limited, and no controller counts. */
const ranges: readonly (readonly [what: string, limits: JsonValue])[] = [
  ['nothing', null],
  ['no limits', []],
  ['no type', [{ max: { cpu: '1' } }]],
  ['another type', [{ type: 'Node', max: { cpu: '1' } }]],
  ['a qualified type', [{ type: 'x.io/Thing', max: { 'x.io/y': '1' } }]],
  ['a type twice', [{ type: 'Pod' }, { type: 'Pod' }]],
  ['resources of a container', [{ type: 'Container', max: { pods: '1', gpu: '1', 'hugepages-2Mi': '1', '-': '1' } }]],
  ['resources of a claim', [{ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { gpu: '1', pods: '1' } }]],
  ['a claim without storage', [{ type: 'PersistentVolumeClaim', max: { cpu: '1' } }]],
  ['defaults of pods', [{ type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '2' }, max: { cpu: '3' } }]],
  ['more at least than at most', [{ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } }]],
  ['a small default request', [{ type: 'Container', min: { cpu: '2' }, defaultRequest: { cpu: '1' } }]],
  ['a large default request', [{ type: 'Container', max: { cpu: '1' }, defaultRequest: { cpu: '2' } }]],
  ['a default request above the default', [{ type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '2' } }]],
  ['a small default', [{ type: 'Container', min: { cpu: '2' }, default: { cpu: '1' } }]],
  ['a large default', [{ type: 'Container', max: { cpu: '1' }, default: { cpu: '2' } }]],
  ['a small ratio', [{ type: 'Pod', maxLimitRequestRatio: { cpu: '500m' } }]],
  ['a large ratio', [{ type: 'Pod', min: { cpu: '3' }, max: { cpu: '4' }, maxLimitRequestRatio: { cpu: '2' } }]],
  ['a ratio that fits', [{ type: 'Pod', min: { cpu: '1' }, max: { cpu: '4' }, maxLimitRequestRatio: { cpu: '2' } }]],
  ['devices that differ', [{ type: 'Container', default: { 'x.io/y': '2' }, defaultRequest: { 'x.io/y': '1' } }]],
  ['devices that are equal', [{ type: 'Container', default: { 'x.io/y': '2' }, defaultRequest: { 'x.io/y': '2' } }]],
]

const quotas: readonly (readonly [what: string, spec: JsonObject])[] = [
  ['other names', { hard: { gpu: '1', 'count/x': '1.5', '-': '1', storage: '1', 'x.io/y': '1.5' } }],
  ['less than nothing', { hard: { pods: '-1', cpu: '-1' } }],
  ['half a pod', { hard: { pods: '1500m' } }],
  ['an unknown scope', { scopes: ['Some'], hard: { services: '1' } }],
  ['a scope that does not fit', { scopes: ['BestEffort'], hard: { pods: '1', cpu: '1', 'count/x': '1' } }],
  ['scopes that exclude each other', { scopes: ['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort'] }],
  ['claims of a class', { scopes: ['VolumeAttributesClass'], hard: { persistentvolumeclaims: '1', pods: '1' } }],
  [
    'a selector',
    { hard: { services: '1' }, scopeSelector: { matchExpressions: [{ scopeName: 'Some', operator: 'Exists' }] } },
  ],
  [
    'operators',
    {
      hard: { services: '1' },
      scopeSelector: {
        matchExpressions: [
          { scopeName: 'PriorityClass', operator: 'In' },
          { scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] },
          { scopeName: 'PriorityClass', operator: 'Like', values: ['a'] },
          { scopeName: 'BestEffort', operator: 'In', values: ['a'] },
          { scopeName: 'NotBestEffort', operator: 'Exists' },
        ],
      },
    },
  ],
  ['requests above limits', { hard: { cpu: '2', 'limits.cpu': '1', 'requests.memory': '1', 'limits.memory': '2' } }],
  ['full names above limits', { hard: { 'requests.cpu': '2', 'limits.cpu': '1' } }],
]

const quota = new ObjectSteps('scoped', `${CORE}/resourcequotas`, 'v1 ResourceQuota')
const scopes = (...names: string[]): JsonObject => ({ spec: { scopes: names } })

export const steps: readonly Step[] = [
  ...ranges.map(([what, limits]) => tried(`limits: ${what}`, 'limitranges', { limits })),
  ...quotas.map(([what, spec]) => tried(`quota: ${what}`, 'resourcequotas', spec)),
  { ...quota.create(scopes('Terminating', 'PriorityClass')), unordered: true },
  quota.patch('other scopes', 'merge', scopes('BestEffort')),
  quota.patch('the same scopes in another order', 'merge', scopes('PriorityClass', 'Terminating'), {
    query: 'dryRun=All',
  }),
  quota.patch(
    'a wrong status',
    'merge',
    { status: { hard: { gpu: '1' }, used: { pods: '-1' } } },
    { subresource: 'status' },
  ),
]

function tried(name: string, plural: string, spec: JsonObject): Step {
  const path = `${CORE}/${plural}?dryRun=All`
  return { name, method: 'POST', path, body: { metadata: { name: 'tried' }, spec }, unordered: true }
}
