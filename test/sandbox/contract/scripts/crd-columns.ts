import type { JsonValue } from '../../../../src/core/base/json.ts'
import { installed, objectBody, pathOf, removed } from '../crd-body.ts'
import type { Step } from '../exchange.ts'

const PATHS: readonly (readonly [path: string, type: string])[] = [
  ['.spec.text', 'string'],
  ['.spec.number', 'integer'],
  ['.spec.number', 'string'],
  ['.spec.number', 'number'],
  ['.spec.float', 'number'],
  ['.spec.float', 'integer'],
  ['.spec.flag', 'boolean'],
  ['.spec.flag', 'string'],
  ['.spec.text', 'integer'],
  ['.spec.text', 'boolean'],
  ['.spec.date', 'date'],
  ['.spec.text', 'date'],
  ['.spec.missing', 'string'],
  ['.spec.missing', 'integer'],
  ['.spec.object', 'string'],
  ['.spec.list', 'string'],
  ['.spec.list[0]', 'string'],
  ['.spec.list[-1]', 'string'],
  ['.spec.list[9]', 'string'],
  ['.spec.list[*]', 'string'],
  ['.spec.list[0:2]', 'string'],
  ['.spec.list[:1]', 'string'],
  ['.spec.list[1:]', 'string'],
  ['.spec.list[-2:]', 'string'],
  ['.spec.list[::2]', 'string'],
  ['.spec.list[0,2]', 'string'],
  ['.spec.items[*].name', 'string'],
  ['.spec.items[?(@.name=="b")].value', 'string'],
  ['.spec.items[?(@.value>1)].name', 'string'],
  ['.spec.items[?(@.value!=1)].name', 'string'],
  ['.spec.items[?(@.value)].name', 'string'],
  ['.spec.items[?(@.missing)].name', 'string'],
  ['.spec.items[?(@.name=="nope")].value', 'string'],
  ['.spec.items[?(@.on==true)].name', 'string'],
  [".spec['text','number']", 'string'],
  [".spec['a.b']", 'string'],
  ['.spec.a\\.b', 'string'],
  ['.metadata.labels.l', 'string'],
  ['.metadata.name', 'string'],
  ['.metadata.creationTimestamp', 'date'],
  ['.metadata.deletionTimestamp', 'date'],
  ['.spec.nothing', 'string'],
  ['.spec.text.more', 'string'],
  ['.spec.empty', 'string'],
  ['.spec.emptyList', 'string'],
  ['.spec.nested[0][1]', 'integer'],
  ['.spec.big', 'integer'],
  ['.spec.list.length', 'string'],
]

const columns = PATHS.map(([jsonPath, type], index) => ({
  name: `C${index}`,
  type,
  jsonPath,
  ...(index % 5 === 0 && { description: `of ${jsonPath}`, priority: index % 2 }),
  ...(type === 'integer' && { format: 'int64' }),
}))

const spec: JsonValue = {
  text: 'abc',
  number: 7,
  float: 1.5,
  flag: true,
  // So long ago that Go's durations do not reach: its age is the same on every day.
  date: '1500-01-01T00:00:00Z',
  object: { a: 1, b: 'x' },
  list: ['x', 'y', 'z'],
  items: [{ name: 'a', value: 1 }, { name: 'b', value: 2, on: true }, { name: 'c' }],
  'a.b': 'dotted',
  nothing: null,
  empty: '',
  emptyList: [],
  nested: [[1, 2]],
  big: 12345678901,
}

const schema = { properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } }
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'

export const steps: readonly Step[] = [
  ...installed({ singular: 'columned', schema, version: { additionalPrinterColumns: columns } }),
  {
    name: 'full',
    method: 'POST',
    path: pathOf('columned'),
    body: { ...objectBody('columned', 'full', { spec }), metadata: { name: 'full', labels: { l: 'label' } } },
  },
  { name: 'bare', method: 'POST', path: pathOf('columned'), body: objectBody('columned', 'bare') },
  { name: 'a table of one', method: 'GET', path: pathOf('columned', 'full'), headers: { accept: TABLE } },
  { name: 'a table of all', method: 'GET', path: pathOf('columned'), headers: { accept: TABLE } },
  {
    name: 'a table with whole objects',
    method: 'GET',
    path: `${pathOf('columned')}?includeObject=Object`,
    headers: { accept: TABLE },
  },
  {
    name: 'a table without objects',
    method: 'GET',
    path: `${pathOf('columned')}?includeObject=None`,
    headers: { accept: TABLE },
  },
  removed('columned'),
]
