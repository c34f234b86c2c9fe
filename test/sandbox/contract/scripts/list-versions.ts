import type { Step } from '../exchange.ts'
import { createMap, get, MAPS, METADATA_LIST, patch, remove, TABLE } from '../map-steps.ts'

const LIST = `${MAPS}?labelSelector=v`
const VERSIONS: Readonly<Record<string, string>> = {
  'no version': '',
  'an empty version': '&resourceVersion=',
  'version 0': '&resourceVersion=0',
  'an old version': '&resourceVersion={create b.rv}',
  'the latest version': '&resourceVersion={patch a.rv}',
}
const MATCHES = ['', 'Exact', 'NotOlderThan', 'Newest']
const LIMITS = ['', '&limit=2']

/** What a list shows by its version and how that is to be matched, whole and in pages. */
const versions = Object.entries(VERSIONS).flatMap(([version, query]) =>
  MATCHES.flatMap((match) =>
    LIMITS.map((limit): Step => {
      const name = `${version}, match '${match}'${limit && ', in pages'}`
      return get(name, `${LIST}${query}${match && `&resourceVersionMatch=${match}`}${limit}`)
    }),
  ),
)
const EXACT = 'resourceVersionMatch=Exact'

export const steps: readonly Step[] = [
  createMap('a', { labels: { v: '1' } }),
  createMap('b', { labels: { v: '1' } }),
  createMap('c', { labels: { v: '1' } }),
  createMap('d', { labels: { v: '1' } }),
  remove('delete d', `${MAPS}/d`),
  patch('patch a', `${MAPS}/a`, { data: { n: '1' }, metadata: { labels: { w: '1' } } }),
  ...versions,
  get(
    'exactly as it was, by a label that came later',
    `${MAPS}?labelSelector=w&${EXACT}&resourceVersion={create c.rv}`,
  ),
  get('exactly as it was, with what is gone', `${LIST}&${EXACT}&resourceVersion={create d.rv}`),
  get('exactly as it was, by name', `${MAPS}?fieldSelector=metadata.name%3Dd&${EXACT}&resourceVersion={create d.rv}`),
  get('exactly as it was, as metadata', `${LIST}&${EXACT}&resourceVersion={create b.rv}`, { headers: METADATA_LIST }),
  get('exactly as it was, as a table', `${LIST}&${EXACT}&resourceVersion={create b.rv}`, { headers: TABLE }),
  get(
    'exactly as it was in all namespaces',
    `/api/v1/configmaps?labelSelector=v&fieldSelector=metadata.namespace%3D{ns}&${EXACT}&resourceVersion={create b.rv}`,
  ),
  get('a version to come', `${LIST}&resourceVersion=99999999999`),
  get('a version to come, in pages', `${LIST}&resourceVersion=99999999999&limit=1`),
  get('a version to come, exactly', `${LIST}&${EXACT}&resourceVersion=99999999999`),
  get('not older than a version to come', `${LIST}&resourceVersionMatch=NotOlderThan&resourceVersion=99999999999`),
  get('a version that is a word', `${LIST}&resourceVersion=abc`),
  get('exactly a word', `${LIST}&${EXACT}&resourceVersion=abc`),
  get('a negative version', `${LIST}&resourceVersion=-1`),
  get('a huge version', `${LIST}&resourceVersion=99999999999999999999999999`),
  get('a version of zeros', `${LIST}&resourceVersion=00`),
  get('exactly zeros', `${LIST}&${EXACT}&resourceVersion=00`),
  get('initial events', `${LIST}&sendInitialEvents=true`),
  get('no initial events', `${LIST}&sendInitialEvents=false`),
  get('initial events and a match', `${LIST}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`),
  get('initial events, a match and a version', `${LIST}&sendInitialEvents=true&${EXACT}&resourceVersion={create a.rv}`),
  get('bookmarks', `${LIST}&allowWatchBookmarks=true`),
  get('a time-out', `${LIST}&timeoutSeconds=5`),
  get('a time-out that is a word', `${LIST}&timeoutSeconds=x`),
  get('an unknown option', `${LIST}&whatever=1`),
  get('a match twice', `${LIST}&resourceVersion={create b.rv}&${EXACT}&resourceVersionMatch=NotOlderThan`),
  get('one object at version 0', `${MAPS}/a?resourceVersion=0`),
  get('one object at an old version', `${MAPS}/a?resourceVersion={create a.rv}`),
  get('one object at a version to come', `${MAPS}/a?resourceVersion=99999999999`),
  get('one object at a word', `${MAPS}/a?resourceVersion=abc`),
  get('what is not there at version 0', `${MAPS}/none?resourceVersion=0`),
]
