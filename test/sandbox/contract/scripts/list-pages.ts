import type { Step } from '../exchange.ts'
import { createMap, get, MAPS, METADATA_LIST, patch, remove, TABLE } from '../map-steps.ts'

const LIST = `${MAPS}?labelSelector=p`
const SECRETS = '/api/v1/namespaces/{ns}/secrets'
const NAMES = ['a', 'b', 'c', 'd', 'e']
const token = (content: object | string): string =>
  Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)).toString('base64url')
const V1 = 'meta.k8s.io/v1'

const BAD_TOKENS: Readonly<Record<string, string>> = {
  'no base64': '%25%25%25',
  'a word': 'abc',
  'text in base64': token('hello'),
  'an empty object': token({}),
  'another version': token({ v: 'meta.k8s.io/v2', rv: 5, start: 'a\u0000' }),
  'no version of the list': token({ v: V1, start: 'a\u0000' }),
  'a version of 0': token({ v: V1, rv: 0, start: 'a\u0000' }),
  'no start': token({ v: V1, rv: 5 }),
  'an empty start': token({ v: V1, rv: 5, start: '' }),
  'a start above': token({ v: V1, rv: 5, start: '../other\u0000' }),
  'a start of another type': token({ v: V1, rv: 5, start: 7 }),
  'a version of another type': token({ v: V1, rv: 'x', start: 'a\u0000' }),
  'a list': token('[]'),
  'cut off': token({ v: V1, rv: 5, start: 'a\u0000' }).slice(0, 20),
}

export const steps: readonly Step[] = [
  ...NAMES.map((name) => createMap(name, { labels: { p: '1' } }, { n: '0' })),
  ...NAMES.map(
    (name): Step => ({ name: `create secret ${name}`, method: 'POST', path: SECRETS, body: { metadata: { name } } }),
  ),
  ...['1', '2', '4', '5', '6', '500'].map((limit) => get(`by ${limit}`, `${LIST}&limit=${limit}`)),
  ...['0', '-1', 'x', '1.5', '', '99999999999999999999'].map((limit) =>
    get(`a limit of '${limit}'`, `${LIST}&limit=${limit}`),
  ),
  get('first of two', `${LIST}&limit=2`),
  get('the same again', `${LIST}&limit=2`),
  createMap('aa', { labels: { p: '1' } }),
  createMap('f', { labels: { p: '1' } }),
  patch('change c', `${MAPS}/c`, { data: { n: '1' } }),
  patch('d leaves the selection', `${MAPS}/d`, { metadata: { labels: { p: null } } }),
  remove('delete e', `${MAPS}/e`),
  get('second of two', `${LIST}&limit=2&continue={first of two.continue}`),
  get('the rest after the first', `${LIST}&continue={first of two.continue}`),
  get('third of two', `${LIST}&limit=2&continue={second of two.continue}`),
  get('by another selector', `${MAPS}?labelSelector=!p&limit=2&continue={first of two.continue}`),
  get('without the selector', `${MAPS}?limit=2&continue={first of two.continue}`),
  get('of another kind', `${SECRETS}?limit=2&continue={first of two.continue}`),
  get('of all namespaces', `/api/v1/configmaps?labelSelector=p&limit=2&continue={first of two.continue}`),
  get('as metadata', `${LIST}&limit=2&continue={first of two.continue}`, { headers: METADATA_LIST }),
  get('as a table', `${LIST}&limit=2&continue={first of two.continue}`, { headers: TABLE }),
  get('with a version of 0', `${LIST}&limit=2&continue={first of two.continue}&resourceVersion=0`),
  get('with a version', `${LIST}&limit=2&continue={first of two.continue}&resourceVersion={create a.rv}`),
  get('with a match', `${LIST}&limit=2&continue={first of two.continue}&resourceVersionMatch=Exact`),
  get(
    'with a version and a match',
    `${LIST}&continue={first of two.continue}&resourceVersion=1&resourceVersionMatch=Exact`,
  ),
  get('first secret', `${SECRETS}?limit=1`),
  get('second secret', `${SECRETS}?limit=1&continue={first secret.continue}`),
  get('other secrets', `${SECRETS}?limit=10&continue={second secret.continue}`),
  get('first secret as metadata', `${SECRETS}?limit=1`, { headers: METADATA_LIST }),
  get('first secret as a table', `${SECRETS}?limit=1`, { headers: TABLE }),
  get('first secret of a type', `${SECRETS}?limit=1&fieldSelector=type%3DOpaque`),
  get('first secret by name', `${SECRETS}?limit=1&fieldSelector=metadata.name%3Da`),
  get('first secret but one', `${SECRETS}?limit=1&fieldSelector=metadata.name!%3Da`),
  get('first secret of the namespace among all', `/api/v1/secrets?limit=2&fieldSelector=metadata.namespace%3D{ns}`),
  get(
    'their second page',
    `/api/v1/secrets?limit=2&fieldSelector=metadata.namespace%3D{ns}&continue={first secret of the namespace among all.continue}`,
    {
      differs:
        'the real server never gets past the first page of a list of all namespaces that a field selector limits to one',
    },
  ),
  get('first page of nothing', `${MAPS}?labelSelector=nothing&limit=1`),
  get('first page at version 0', `${LIST}&limit=2&resourceVersion=0`),
  ...Object.entries(BAD_TOKENS).map(([name, text]) => get(`a token that is ${name}`, `${LIST}&continue=${text}`)),
  get('a token that has expired', `${LIST}&limit=1&continue=${token({ v: V1, rv: 2, start: 'a\u0000' })}`),
  get('the rest after it has expired', `${LIST}&limit=2&continue={a token that has expired.continue}`),
  get('a token of a version to come', `${LIST}&continue=${token({ v: V1, rv: 99999999999, start: 'a\u0000' })}`),
  get('a token of now', `${LIST}&limit=2&continue=${token({ v: V1, rv: -1, start: 'b\u0000' })}`),
  get('a token past the end', `${LIST}&continue=${token({ v: V1, rv: -1, start: 'z\u0000' })}`),
  get('a token without an end', `${LIST}&continue=${token({ v: V1, rv: -1, start: 'b' })}`),
]
