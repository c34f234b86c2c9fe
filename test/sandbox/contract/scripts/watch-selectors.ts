import type { Step } from '../exchange.ts'
import { createMap, get, MAPS, METADATA, patch, remove, TABLE, watch } from '../map-steps.ts'

const PODS = '/api/v1/namespaces/{ns}/pods'
const SECRETS = '/api/v1/namespaces/{ns}/secrets'
const label = (name: string, labels: Readonly<Record<string, string | null>>): Step =>
  patch(`label ${name} ${JSON.stringify(labels)}`, `${MAPS}/${name}`, { metadata: { labels: { ...labels } } })

const LABELS: Readonly<Record<string, string>> = {
  'by value': 'labelSelector=tier%3Dfront',
  'by two values': 'labelSelector=tier%3Dfront,app%3Dx',
  'by another value': 'labelSelector=app,tier!%3Dfront',
  'by presence': 'labelSelector=tier',
  'by absence': 'labelSelector=app,!tier',
  'by set': 'labelSelector=tier%20in%20(front,back)',
  'by absence from a set': 'labelSelector=app,tier%20notin%20(front)',
  'by number': 'labelSelector=size%3E3',
  'by label and name': 'labelSelector=app&fieldSelector=metadata.name%3Da',
  'by label and another name': 'labelSelector=app&fieldSelector=metadata.name!%3Da',
}
const pod = (name: string): Step => ({
  name: `create pod ${name}`,
  method: 'POST',
  path: PODS,
  body: {
    metadata: { name, labels: { p: '1' } },
    spec: {
      schedulerName: 'nobody',
      automountServiceAccountToken: false,
      containers: [{ name: 'c', image: 'example.com/a' }],
    },
  },
})
const PHASES: Readonly<Record<string, string>> = {
  'pods that are pending': 'fieldSelector=status.phase%3DPending',
  'pods that run': 'fieldSelector=status.phase%3DRunning',
  'pods that do not run': 'fieldSelector=status.phase!%3DRunning',
  'pods of a node': 'fieldSelector=spec.nodeName%3D{ns}-nowhere',
  'pods of no node': 'fieldSelector=spec.nodeName%3D',
}
const phase = (name: string, value: string): Step =>
  patch(`${name} is ${value}`, `${PODS}/${name}/status`, { status: { phase: value } })

export const steps: readonly Step[] = [
  createMap('before', { labels: { app: 'x', tier: 'front', size: '9' } }),
  ...Object.entries(LABELS).map(([name, query]) => watch(name, MAPS, `${query}&resourceVersion={create before.rv}`)),
  watch('by value as metadata', MAPS, 'labelSelector=tier%3Dfront', { headers: METADATA }),
  watch('by value as a table', MAPS, 'labelSelector=tier%3Dfront', { headers: TABLE }),
  watch('by value, from now', MAPS, 'labelSelector=tier%3Dfront'),
  createMap('a', { labels: { app: 'x' } }, { n: '0' }),
  createMap('b', { labels: { app: 'x', tier: 'back', size: '2' } }),
  label('a', { tier: 'front' }),
  label('b', { tier: 'front', size: '4' }),
  patch('change a', `${MAPS}/a`, { data: { n: '1' } }),
  {
    ...patch('change a and its label', `${MAPS}/a`, { metadata: { labels: { tier: 'back' } }, data: { n: '2' } }),
  },
  label('b', { size: '1' }),
  label('b', { app: 'y' }),
  label('a', { tier: null }),
  remove('delete a', `${MAPS}/a`),
  label('b', { tier: null }),
  remove('delete b', `${MAPS}/b`),
  ...Object.entries(LABELS).map(([name, query]) =>
    watch(`${name}, afterwards`, MAPS, `${query}&resourceVersion={create before.rv}`),
  ),
  pod('p'),
  ...Object.entries(PHASES).map(([name, query]) => watch(name, PODS, `${query}&resourceVersion={create pod p.rv}`)),
  pod('q'),
  phase('p', 'Running'),
  phase('q', 'Succeeded'),
  {
    name: 'bind p',
    method: 'POST',
    path: `${PODS}/p/binding`,
    body: { metadata: { name: 'p' }, target: { kind: 'Node', name: '{ns}-nowhere' } },
  },
  remove('delete q at once', `${PODS}/q?gracePeriodSeconds=0`),
  remove('delete p at once', `${PODS}/p?gracePeriodSeconds=0`),
  watch('secrets of a type', SECRETS, 'fieldSelector=type%3Dexample.com/t'),
  ...['example.com/t', 'Opaque'].map(
    (type, index): Step => ({
      name: `create a secret of type ${type}`,
      method: 'POST',
      path: SECRETS,
      body: { metadata: { name: `s${index}` }, type },
    }),
  ),
  patch('change the secret', `${SECRETS}/s0`, { data: { a: 'MQ==' } }),
  remove('delete the secrets', SECRETS),
  get('nothing is left', SECRETS),
]
