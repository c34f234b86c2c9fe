import { expect } from 'chai'
import type { JsonObject, JsonValue } from '../../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../../src/core/kube/object.ts'
import { checkConverted } from '../../../../../src/sandbox/apiserver/crd/conversion/check-converted.ts'

const V2 = 'example.com/v2'
const ROD: KubeObject = { apiVersion: 'example.com/v1', kind: 'Rod', metadata: { name: 'a', namespace: 'n', uid: 'u' } }
const converted = (more: JsonObject): JsonObject => ({ ...ROD, apiVersion: V2, ...more }) as unknown as JsonObject
const withLabel = (value: JsonValue): JsonObject => converted({ metadata: { ...ROD.metadata, labels: { a: value } } })
const ofType = (type: string): string =>
  `returned invalid metadata: metadata.labels[a] must be a string, but is ${type} in converted object`

const PROBLEMS: Readonly<Record<string, readonly [answer: JsonValue, problem: string]>> = {
  'without a version': [
    converted({ apiVersion: undefined }),
    'returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received )',
  ],
  'without metadata': [converted({ metadata: undefined }), 'returned invalid object: must have the same name: a != '],
  'with metadata that is a text': [
    converted({ metadata: 'a' }),
    'returned invalid object: must have the same name: a != ',
  ],
  'with an object as a label': [withLabel({}), ofType('map[string]interface {}')],
  'with a list as a label': [withLabel([]), ofType('[]interface {}')],
  'with a whole number as a label': [withLabel(1), ofType('int64')],
  'with a fraction as a label': [withLabel(1.5), ofType('float64')],
  'with a truth as a label': [withLabel(true), ofType('bool')],
  'with null as a label': [withLabel(null), ofType('<nil>')],
  'with a text in place of labels': [
    converted({ metadata: { ...ROD.metadata, labels: 'none' } }),
    'returned invalid metadata: invalid metadata.labels of type string in converted object',
  ],
}

describe('an object that a conversion webhook returns', () => {
  for (const [name, [answer, problem]] of Object.entries(PROBLEMS)) {
    it(`is refused ${name}`, () => expect(checkConverted(ROD, answer, V2)).to.deep.equal({ problem }))
  }

  it('keeps the metadata that it had, but for labels and annotations', () => {
    const metadata = { ...ROD.metadata, labels: { a: 'b' }, finalizers: ['example.com/new'] }
    const { object } = checkConverted(ROD, converted({ metadata }), V2) as { readonly object: KubeObject }
    expect(object.metadata).to.deep.equal({ ...ROD.metadata, labels: { a: 'b' }, annotations: undefined })
  })
})
