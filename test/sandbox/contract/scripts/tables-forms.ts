import type { Step } from '../exchange.ts'

/** In which form an object is answered: by the `Accept` header and by `includeObject`. */
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const OLD_TABLE = 'application/json;as=Table;v=v1beta1;g=meta.k8s.io'
const PARTIAL = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
const PARTIAL_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
const ROLES = '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles'
const PODS = '/api/v1/namespaces/{ns}/pods'

const creations: readonly Step[] = ['a', 'b', 'c'].map((name) => ({
  name: `create ${name}`,
  method: 'POST',
  path: ROLES,
  body: {
    metadata: { name, labels: { t: name }, annotations: { note: 'text' }, finalizers: name === 'c' ? ['x.y/z'] : [] },
    rules: [],
  },
}))

const accepts: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['every form', '*/*'],
  ['every form of an application', 'application/*'],
  ['JSON', 'application/json'],
  ['JSON of a charset', 'application/json; charset=utf-8'],
  ['pretty JSON', 'application/json; pretty=1'],
  ['a stream of JSON', 'application/json;stream=watch'],
  ['HTML', 'text/html'],
  ['HTML or anything', 'text/html,*/*;q=0.1'],
  ['text', 'text/plain'],
  ['a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['upper case', 'APPLICATION/JSON'],
  ['rubbish', 'rubbish'],
  ['rubbish, then JSON', 'rubbish,application/json'],
  ['JSON that is the worse', 'application/json;q=0.1,text/html'],
  ['JSON of no quality', 'application/json;q=0'],
  ['JSON of a bad quality', 'application/json;q=high'],
  ['a table', TABLE],
  ['an old table', OLD_TABLE],
  ['a table of another version', 'application/json;as=Table;v=v2;g=meta.k8s.io'],
  ['a table of another group', 'application/json;as=Table;v=v1;g=example.com'],
  ['a table of no version', 'application/json;as=Table;g=meta.k8s.io'],
  ['a table of no group', 'application/json;as=Table;v=v1'],
  ['another kind', 'application/json;as=Role;v=v1;g=meta.k8s.io'],
  ['another kind, then JSON', 'application/json;as=Role;v=v1;g=meta.k8s.io,application/json'],
  ['a table, better in JSON', `${TABLE};q=0.5,application/json`],
  ['a table, worse in JSON', `${TABLE},application/json;q=0.5`],
  ['metadata', PARTIAL],
  ['metadata of a list', PARTIAL_LIST],
  ['old metadata', 'application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io'],
  ['metadata, then a table', `${PARTIAL},${TABLE}`],
  ['a table of spaces', 'application/json; as=Table; v=v1; g=meta.k8s.io'],
  ['quotes', 'application/json;as="Table";v="v1";g="meta.k8s.io"'],
]

const negotiations: readonly Step[] = accepts.flatMap(([form, accept]) => [
  { name: `one as ${form}`, method: 'GET', path: `${ROLES}/a`, headers: { accept } },
  { name: `all as ${form}`, method: 'GET', path: `${ROLES}?labelSelector=t=a`, headers: { accept } },
])

const included: readonly Step[] = ['None', 'Metadata', 'Object', 'Everything', ''].flatMap((what) => [
  { name: `rows with ${what}`, method: 'GET', path: `${ROLES}?includeObject=${what}`, headers: { accept: TABLE } },
  { name: `one row with ${what}`, method: 'GET', path: `${ROLES}/a?includeObject=${what}`, headers: { accept: TABLE } },
])

const writes: readonly Step[] = [
  {
    name: 'a table of a creation',
    method: 'POST',
    path: ROLES,
    headers: { accept: TABLE },
    body: { metadata: { name: 'd' }, rules: [] },
  },
  {
    name: 'metadata of a creation',
    method: 'POST',
    path: ROLES,
    headers: { accept: PARTIAL },
    body: { metadata: { name: 'e', labels: { t: 'e' } }, rules: [] },
  },
  {
    name: 'a table of a replacement',
    method: 'PUT',
    path: `${ROLES}/d`,
    headers: { accept: TABLE },
    body: { metadata: { name: 'd', labels: { t: 'd' } }, rules: [] },
  },
  {
    name: 'metadata of a patch',
    method: 'PATCH',
    path: `${ROLES}/d`,
    headers: { accept: PARTIAL, 'content-type': 'application/merge-patch+json' },
    body: { metadata: { labels: { u: 'd' } } },
  },
  {
    name: 'a table of a refusal',
    method: 'POST',
    path: ROLES,
    headers: { accept: TABLE },
    body: { metadata: { name: 'd' }, rules: [] },
  },
  { name: 'a table of a deletion', method: 'DELETE', path: `${ROLES}/d`, headers: { accept: TABLE } },
  { name: 'a table of a held deletion', method: 'DELETE', path: `${ROLES}/c`, headers: { accept: TABLE } },
  { name: 'metadata of a held deletion', method: 'DELETE', path: `${ROLES}/c`, headers: { accept: PARTIAL } },
  {
    name: 'metadata of a collection that goes',
    method: 'DELETE',
    path: `${ROLES}?labelSelector=t=e`,
    headers: { accept: PARTIAL_LIST },
  },
  {
    name: 'a table of a collection that goes',
    method: 'DELETE',
    path: `${ROLES}?labelSelector=t=b`,
    headers: { accept: TABLE },
  },
  { name: 'no pods as a table', method: 'GET', path: PODS, headers: { accept: TABLE } },
  { name: 'no pods as metadata', method: 'GET', path: PODS, headers: { accept: PARTIAL_LIST } },
]

const watches: readonly Step[] = [
  [TABLE, ''],
  [OLD_TABLE, ''],
  [TABLE, '&includeObject=None'],
  [TABLE, '&includeObject=Object'],
  [PARTIAL, ''],
  [PARTIAL_LIST, ''],
  ['text/html', ''],
].flatMap(([accept = '', query = '']): readonly Step[] => [
  {
    name: `watch as ${accept}${query}`,
    method: 'GET',
    path: `${ROLES}?watch=true&timeoutSeconds=1&labelSelector=t=a${query}`,
    headers: { accept },
  },
])

export const steps: readonly Step[] = [
  ...creations,
  ...negotiations,
  ...included,
  ...watches,
  ...writes,
  {
    name: 'let the last one go',
    method: 'PATCH',
    path: `${ROLES}/c`,
    headers: { accept: TABLE, 'content-type': 'application/merge-patch+json' },
    body: { metadata: { finalizers: null } },
  },
]
