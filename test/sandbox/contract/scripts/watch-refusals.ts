import type { Step } from '../exchange.ts'
import { createMap, get, MAPS, watch } from '../map-steps.ts'

const short = (name: string, query: string, path = MAPS, more: Partial<Step> = {}): Step =>
  watch(name, path, `timeoutSeconds=2&${query}`, more)

export const steps: readonly Step[] = [
  createMap('a', { labels: { w: '1' } }),
  short('not older than a version long gone', `${initial('true')}&resourceVersion=1&labelSelector=w`),
  short('a version to come', 'resourceVersion=99999999999', MAPS, {
    differs:
      'a sandbox counts from 1 again when it is restarted: a watch from a version to come is refused, not left waiting',
  }),
  short('a version to come of one object', 'resourceVersion=99999999999', `${MAPS}/a`),
  short('a version to come with initial events', `${initial('true')}&resourceVersion=99999999999`),
  short('a version that is a word', 'resourceVersion=abc'),
  short('a negative version', 'resourceVersion=-1'),
  short('a fraction of a version', 'resourceVersion=1.5'),
  short('a version of one object that is a word', 'resourceVersion=abc', `${MAPS}/a`),
  short('a version with a space', 'resourceVersion=%201'),
  short('a version with leading zeros', 'resourceVersion=000&labelSelector=w'),
  short('a huge version', 'resourceVersion=99999999999999999999999999'),
  short('a token', 'continue=abc'),
  short('a token and a match', 'continue=abc&resourceVersionMatch=Exact'),
  short('a limit', 'limit=1&labelSelector=w'),
  short('a limit that is a word', 'limit=x'),
  short('a bad label selector', 'labelSelector=a%3D%3D%3D'),
  short('a bad field selector', 'fieldSelector=metadata.name'),
  short('an unknown field', 'fieldSelector=data.a%3D1'),
  short('bookmarks as a word', 'allowWatchBookmarks=maybe&labelSelector=w'),
  short('initial events as a word', 'sendInitialEvents=maybe&labelSelector=w'),
  get('a time that is a word', `${MAPS}?watch=true&timeoutSeconds=soon`),
  get('a fraction of time', `${MAPS}?watch=true&timeoutSeconds=1.5`),
  short('watch as 1', 'labelSelector=w', MAPS),
  get('watch as t', `${MAPS}?watch=t&timeoutSeconds=2&labelSelector=w`, { background: true }),
  get('watch without a value', `${MAPS}?watch&timeoutSeconds=2&labelSelector=w`, { background: true }),
  get('watch as false', `${MAPS}?watch=false&timeoutSeconds=2&labelSelector=w`),
  get('watch as f', `${MAPS}?watch=f&timeoutSeconds=1&labelSelector=w`, { background: true }),
  get('watch as FALSE', `${MAPS}?watch=FALSE&timeoutSeconds=1&labelSelector=w`),
  get('an empty time', `${MAPS}?watch=true&timeoutSeconds=&labelSelector=w`),
  get('watch as 0', `${MAPS}?watch=0&timeoutSeconds=2&labelSelector=w`),
  get('watch as no', `${MAPS}?watch=no&timeoutSeconds=2&labelSelector=w`, { background: true }),
  short('one object that is not there', 'labelSelector=w', `${MAPS}/none`),
  short('one object by another name', 'fieldSelector=metadata.name%3Db', `${MAPS}/a`),
  short('one object by its name', 'fieldSelector=metadata.name%3Da', `${MAPS}/a`),
  short('a namespace that is not there', 'labelSelector=w', '/api/v1/namespaces/{ns}-none/configmaps'),
  short('a kind that is not there', 'labelSelector=w', '/api/v1/namespaces/{ns}/things'),
  short('a group that is not there', 'labelSelector=w', '/apis/none.example.com/v1/namespaces/{ns}/things'),
  short('a kind that cannot be watched', 'labelSelector=w', '/api/v1/componentstatuses'),
  short('a subresource', 'labelSelector=w', '/api/v1/namespaces/{ns}/status'),
  short('the old path', 'labelSelector=w', '/api/v1/watch/namespaces/{ns}/configmaps'),
  short('the old path of one object', '', '/api/v1/watch/namespaces/{ns}/configmaps/a'),
  short(
    'the old path of all namespaces',
    'labelSelector=w&fieldSelector=metadata.namespace%3D{ns}',
    '/api/v1/watch/configmaps',
  ),
  short('as a list of metadata', 'labelSelector=w', MAPS, {
    headers: { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' },
  }),
  short('as text', 'labelSelector=w', MAPS, { headers: { accept: 'text/plain' } }),
  short('as an unknown form', 'labelSelector=w', MAPS, {
    headers: { accept: 'application/json;as=Chair;v=v1;g=meta.k8s.io' },
  }),
]

function initial(send: string): string {
  return `sendInitialEvents=${send}&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`
}
