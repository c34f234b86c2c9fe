import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { get, METADATA, patch, remove, watch } from '../map-steps.ts'

const NAMESPACES = '/api/v1/namespaces'
const HOLD = 'example.com/hold'
const at = (name: string): string => `${NAMESPACES}/{ns}-${name}`
const make = (name: string, metadata: JsonObject = {}, spec?: JsonObject): Step => ({
  name: `create namespace ${name}`,
  method: 'POST',
  path: NAMESPACES,
  body: { metadata: { name: `{ns}-${name}`, labels: { n: '{ns}' }, ...metadata }, ...(spec && { spec }) },
})
const ready = (name: string): Step[] => [
  get(`${name} has its account`, `${at(name)}/serviceaccounts/default`, { until: 200 }),
  get(`${name} has its CA`, `${at(name)}/configmaps/kube-root-ca.crt`, { until: 200 }),
]
const put = (namespace: string, plural: string, name: string, metadata: JsonObject = {}): Step => ({
  name: `create ${plural} ${name} in ${namespace}`,
  method: 'POST',
  path: `${at(namespace)}/${plural}`,
  body: { metadata: { name, ...metadata } },
})
const goes = (name: string): Step => get(`${name} goes`, at(name), { until: 404 })
const has = (text: string) => (body: unknown) => JSON.stringify(body).includes(text)
const finalize = (what: string, name: string, finalizers: string[], more: Partial<Step> = {}): Step => ({
  name: what,
  method: 'PUT',
  path: `${at(name)}/finalize`,
  body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `{ns}-${name}` }, spec: { finalizers } },
  ...more,
})

export const steps: readonly Step[] = [
  make('a'),
  ...ready('a'),
  put('a', 'configmaps', 'm1', { finalizers: [HOLD] }),
  put('a', 'configmaps', 'm2', { finalizers: [HOLD, 'example.com/more'] }),
  put('a', 'secrets', 's1', { finalizers: ['example.com/other'] }),
  put('a', 'secrets', 's2'),
  remove('delete a on trial', `${at('a')}?dryRun=All`),
  remove('delete a by another uid', at('a'), { preconditions: { uid: '11111111-1111-1111-1111-111111111111' } }),
  remove('delete a by another version', at('a'), { preconditions: { resourceVersion: '1' } }),
  remove('delete a', at('a')),
  ...['configmaps', 'secrets', 'serviceaccounts', 'events'].map((plural) => put('a', plural, 'late')),
  { ...put('a', 'configmaps', 'x'), name: 'create on trial meanwhile', path: `${at('a')}/configmaps?dryRun=All` },
  {
    ...put('a', 'configmaps', ''),
    name: 'create by a generated name meanwhile',
    body: { metadata: { generateName: 'g-' } },
  },
  {
    name: 'apply meanwhile',
    method: 'PATCH',
    path: `${at('a')}/configmaps/applied?fieldManager=me`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' } },
  },
  get('s2 goes', `${at('a')}/secrets/s2`, { until: 404 }),
  get('the account goes', `${at('a')}/serviceaccounts/default`, { until: 404 }),
  get('m1 ends', `${at('a')}/configmaps/m1`, { until: has('deletionTimestamp') }),
  get('s1 ends', `${at('a')}/secrets/s1`, { until: has('deletionTimestamp') }),
  patch('change what ends', `${at('a')}/configmaps/m1`, { data: { a: '1' } }),
  get('a tells what is left', at('a'), { until: has('configmaps. has 2 resource instances, secrets. has 1 resource') }),
  get('a as metadata', at('a'), { headers: METADATA }),
  remove('delete a again', at('a')),
  remove('delete a in the foreground', at('a'), { propagationPolicy: 'Foreground' }),
  patch('label a', at('a'), { metadata: { labels: { l: '1' } } }),
  patch('take its end back', at('a'), { metadata: { deletionTimestamp: null } }),
  patch('take its finalizer by a patch', at('a'), { spec: { finalizers: null } }),
  { ...make('a'), name: 'create a meanwhile' },
  patch('release m1', `${at('a')}/configmaps/m1`, { metadata: { finalizers: null } }),
  patch('release s1', `${at('a')}/secrets/s1`, { metadata: { finalizers: null } }),
  patch('release m2', `${at('a')}/configmaps/m2`, { metadata: { finalizers: null } }),
  goes('a'),
  watch(
    'the end of a map',
    `${at('a')}/configmaps`,
    'fieldSelector=metadata.name%3Dm1&resourceVersion={create configmaps m1 in a.rv}',
  ),
  watch(
    'the end of a secret',
    `${at('a')}/secrets`,
    'fieldSelector=metadata.name%3Ds1&resourceVersion={create secrets s1 in a.rv}',
  ),
  { ...make('a'), name: 'create a anew' },
  get('a has a new account', `${at('a')}/serviceaccounts/default`, { until: 200 }),
  get('and no old maps', `${at('a')}/configmaps/m1`),

  make('b'),
  ...ready('b'),
  remove('delete b in the foreground', at('b'), { propagationPolicy: 'Foreground' }),
  goes('b'),
  make('c'),
  ...ready('c'),
  remove('delete c and leave orphans', at('c'), { propagationPolicy: 'Orphan' }),
  goes('c'),
  make('d', { finalizers: [HOLD] }),
  ...ready('d'),
  remove('delete d, which is held', at('d')),
  get('the account of d goes', `${at('d')}/serviceaccounts/default`, { until: 404 }),
  get('d is empty and waits', at('d'), { until: has('"spec":{}') }),
  patch('release d', at('d'), { metadata: { finalizers: null } }),
  goes('d'),
  make('e', {}, { finalizers: ['example.com/mine'] }),
  ...ready('e'),
  remove('delete e, which has a finalizer of its spec', at('e')),
  get('the account of e goes', `${at('e')}/serviceaccounts/default`, { until: 404 }),
  get('e waits for it', at('e'), { until: has('"finalizers":["example.com/mine"]') }),
  finalize('finalize e under another name', 'e', [], { path: `${at('none')}/finalize` }),
  finalize('finalize e', 'e', []),
  goes('e'),
  make('f'),
  ...ready('f'),
  finalize('add a finalizer to f', 'f', ['kubernetes', 'example.com/mine']),
  finalize('finalize f before its time', 'f', []),
  remove('delete f, which nothing holds', at('f')),
  get('f waits for nobody', at('f')),
  remove('delete f again', at('f')),
  get('f is gone', at('f'), { until: 404 }),
  remove('delete what is not there', at('none')),
  remove('a collection of namespaces', `${NAMESPACES}?labelSelector=n%3D{ns}`),
  remove('delete a for good', at('a')),
  get('a goes for good', at('a'), { until: 404 }),
]
