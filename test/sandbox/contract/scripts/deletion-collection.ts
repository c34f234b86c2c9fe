import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { createMap, get, MAPS, METADATA, METADATA_LIST, remove, TABLE, watch } from '../map-steps.ts'

const SECRETS = '/api/v1/namespaces/{ns}/secrets'
const ALL = `${MAPS}?labelSelector=c`
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l']
const left = (after: string): Step => get(`left after ${after}`, ALL, { headers: METADATA_LIST })
/** One that is refused, or on trial. */
const trial = (name: string, query: string, body?: JsonObject): Step => remove(name, `${ALL}&${query}`, body)

export const steps: readonly Step[] = [
  ...NAMES.map((name) => createMap(name, { labels: { c: '1', [name]: '1', odd: String(NAMES.indexOf(name) % 2) } })),
  createMap('held', { labels: { c: '1', x: '1' }, finalizers: ['example.com/hold'] }),
  trial('on trial', 'dryRun=All'),
  trial('on trial in the body', '', { dryRun: ['All'] }),
  trial('a bad label selector', 'labelSelector=c&labelSelector=x', { dryRun: ['All'] }),
  remove('a selector that is none', `${MAPS}?labelSelector=a%20in`),
  remove('a field that cannot be selected', `${ALL}&fieldSelector=data.x%3D1`),
  trial('a bad policy', 'propagationPolicy=Other'),
  trial('a bad dry run', 'dryRun=Some'),
  trial('a bad limit', 'limit=x'),
  trial('a bad version', 'resourceVersion=x'),
  trial('a version to come', 'resourceVersion=99999999999'),
  trial('a bad token', 'continue=x'),
  trial('a match without a version', 'resourceVersionMatch=Exact'),
  trial('initial events', 'sendInitialEvents=true'),
  trial('another uid', '', { preconditions: { uid: '11111111-1111-1111-1111-111111111111' } }),
  trial('a bad body', '', { propagationPolicy: 'Other' }),
  trial('as a watch', 'watch=true&dryRun=All'),
  remove('no JSON', ALL, undefined, { text: '{', headers: { 'content-type': 'application/json' } }),
  left('all trials'),
  remove('by label', `${MAPS}?labelSelector=a`),
  remove('by label again', `${MAPS}?labelSelector=a`),
  left('by label'),
  remove('by name', `${ALL}&fieldSelector=metadata.name%3Db`),
  remove('by another name', `${ALL}&fieldSelector=metadata.name!%3Dc,metadata.name!%3Dheld&labelSelector=c`, {
    dryRun: ['All'],
  }),
  remove('by a set', `${MAPS}?labelSelector=odd%20in%20(0),c,!e`),
  left('by a set'),
  remove('two of them', `${MAPS}?labelSelector=c,odd&limit=2`),
  left('two of them'),
  remove('the next page of them', `${MAPS}?labelSelector=c,odd&limit=1&continue={two of them.continue}`),
  left('the next page'),
  remove('at version 0', `${MAPS}?labelSelector=h&resourceVersion=0`),
  remove('as metadata', `${MAPS}?labelSelector=j`, undefined, { headers: METADATA_LIST }),
  remove('as metadata of one', `${MAPS}?labelSelector=l`, undefined, { headers: METADATA }),
  remove('as a table', `${MAPS}?labelSelector=l`, undefined, { headers: TABLE }),
  left('some forms'),
  remove('what is held', `${MAPS}?labelSelector=x`),
  remove('what is held, again', `${MAPS}?labelSelector=x`),
  remove('in the foreground', `${MAPS}?labelSelector=x`, { propagationPolicy: 'Foreground' }),
  get('nothing is left to wait for', `${MAPS}/held`, { until: (body) => !JSON.stringify(body).includes('foreground') }),
  remove('all that is left', ALL),
  left('all'),
  watch('their ends', MAPS, 'labelSelector=c,!x&resourceVersion={create held.rv}'),
  remove('of all namespaces', '/api/v1/configmaps?labelSelector=c'),
  remove('of a namespace that is not there', '/api/v1/namespaces/{ns}-none/configmaps'),
  remove('of a kind that has none', '/apis/apps/v1/namespaces/{ns}/deployments'),
  remove('namespaces', '/api/v1/namespaces?labelSelector=none'),
  remove('services', '/api/v1/namespaces/{ns}/services?labelSelector=none'),
  remove('reviews', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'),
  ...['s1', 's2'].map(
    (name): Step => ({ name: `create ${name}`, method: 'POST', path: SECRETS, body: { metadata: { name } } }),
  ),
  remove('all secrets', SECRETS),
  get('no secrets', SECRETS),
]
