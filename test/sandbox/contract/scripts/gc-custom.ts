import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { get, MAPS, patch, remove } from '../map-steps.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const TANKS = '/apis/{ns}.example.com/v1/namespaces/{ns}/tanks'
const FLEETS = '/apis/{ns}.example.com/v1/fleets'
const crd = (plural: string, kind: string, scope: string): Step => ({
  name: `create the CRD of ${kind}`,
  method: 'POST',
  path: CRDS,
  body: {
    metadata: { name: `${plural}.{ns}.example.com` },
    spec: {
      group: '{ns}.example.com',
      scope,
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  },
})
const make = (kind: string, path: string, name: string, metadata: JsonObject = {}): Step => ({
  name: `create ${name}`,
  method: 'POST',
  path,
  body: { apiVersion: kind === 'ConfigMap' ? 'v1' : '{ns}.example.com/v1', kind, metadata: { name, ...metadata } },
})
const owner = (kind: string, name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: kind === 'ConfigMap' ? 'v1' : '{ns}.example.com/v1',
  kind,
  name,
  uid: `{create ${name}.uid}`,
  ...more,
})
const by = (...ownerReferences: JsonObject[]): JsonObject => ({ ownerReferences })
const goes = (name: string, path: string): Step => get(`${name} goes`, `${path}/${name}`, { until: 404 })

/** The real garbage collector learns of new kinds only every half a minute: what waits for it, waits that long. */
export const steps: readonly Step[] = [
  crd('tanks', 'Tank', 'Namespaced'),
  crd('fleets', 'Fleet', 'Cluster'),
  get('tanks are served', TANKS, { until: 200 }),
  get('fleets are served', FLEETS, { until: 200 }),
  make('Tank', TANKS, 't1'),
  make('Fleet', FLEETS, 'f1'),
  make('ConfigMap', MAPS, 'm1'),
  make('ConfigMap', MAPS, 'of-t1', by(owner('Tank', 't1', { controller: true, blockOwnerDeletion: true }))),
  make('ConfigMap', MAPS, 'of-f1', by(owner('Fleet', 'f1'))),
  make('Tank', TANKS, 't2', by(owner('Fleet', 'f1'))),
  make('Tank', TANKS, 't3', by(owner('ConfigMap', 'm1'))),
  make('Tank', TANKS, 't4', by(owner('Tank', 't1', { blockOwnerDeletion: true }))),
  make('Tank', TANKS, 't5', { finalizers: ['example.com/hold'] }),
  make('ConfigMap', MAPS, 'of-t5', by(owner('Tank', 't5'))),
  make('Tank', TANKS, 't6'),
  make('ConfigMap', MAPS, 'of-t6', by(owner('Tank', 't6'))),
  make('Fleet', FLEETS, 'f2', by({ ...owner('Fleet', 'f1'), uid: '11111111-1111-1111-1111-111111111111' })),
  remove('delete t1 in the foreground', `${TANKS}/t1`, { propagationPolicy: 'Foreground' }),
  goes('of-t1', MAPS),
  goes('t4', TANKS),
  goes('t1', TANKS),
  goes('f2', FLEETS),
  remove('delete f1', `${FLEETS}/f1`),
  goes('of-f1', MAPS),
  goes('t2', TANKS),
  remove('delete m1', `${MAPS}/m1`),
  goes('t3', TANKS),
  remove('delete t5, which is held', `${TANKS}/t5`),
  get('of-t5 waits', `${MAPS}/of-t5`),
  patch('release t5', `${TANKS}/t5`, { metadata: { finalizers: null } }),
  goes('of-t5', MAPS),
  remove('delete t6 and leave orphans', `${TANKS}/t6`, { propagationPolicy: 'Orphan' }),
  goes('t6', TANKS),
  get('of-t6 is free', `${MAPS}/of-t6`, { until: (body) => !JSON.stringify(body).includes('"ownerReferences":[') }),
  make('Tank', TANKS, 't7', { finalizers: ['example.com/hold'] }),
  make('ConfigMap', MAPS, 'of-t7', by(owner('Tank', 't7'))),
  remove('delete the CRD of Fleet', `${CRDS}/fleets.{ns}.example.com`),
  get('fleets are served no more', FLEETS, { until: 404 }),
  patch('release t7', `${TANKS}/t7`, { metadata: { finalizers: null } }),
  remove('delete the CRD of Tank', `${CRDS}/tanks.{ns}.example.com`),
  get('tanks are served no more', TANKS, { until: 404 }),
]
