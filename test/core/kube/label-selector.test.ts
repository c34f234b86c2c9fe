import { expect } from 'chai'
import { CodedError } from '../../../src/core/base/coded-error.ts'
import {
  type LabelSelector,
  matchesLabels,
  parseLabelSelector,
  printLabelSelector,
} from '../../../src/core/kube/label-selector.ts'

describe('label selector', () => {
  describe('parse, then print', () => {
    const cases: { given: string; expected: string }[] = [
      { given: '', expected: '' },
      { given: 'app=web', expected: 'app=web' },
      { given: 'app == web', expected: 'app=web' },
      { given: 'app=', expected: 'app=' },
      { given: 'tier!=db', expected: 'tier!=db' },
      { given: 'env in (test, dev)', expected: 'env in (dev,test)' },
      { given: 'env notin (test,dev,test)', expected: 'env notin (dev,test)' },
      { given: 'env in (dev)', expected: 'env=dev' },
      { given: 'legacy', expected: 'legacy' },
      { given: '!legacy', expected: '!legacy' },
      { given: '! legacy', expected: '!legacy' },
      {
        given: 'example.com/app=web,a in (x,y),b',
        expected: 'a in (x,y),b,example.com/app=web',
      },
    ]
    for (const { given, expected } of cases) {
      it(`"${given}"`, () => expect(printLabelSelector(parseLabelSelector(given))).to.equal(expected))
    }
  })

  describe('refused', () => {
    const texts = [
      'a b',
      'a=b=c',
      ',',
      'a,',
      'a in ()x',
      'a in (b',
      '=x',
      'a>5',
      '-a=b',
      'a=b c',
      'A.B/../c=d',
      'a in (b;c)',
    ]
    for (const text of texts) {
      it(`"${text}"`, () => expectInvalid(() => parseLabelSelector(text)))
    }
    it('a value that smuggles in a requirement, when printed', () =>
      expectInvalid(() => printLabelSelector({ matchLabels: { app: 'x,!owner' } })))
    it('a set without values', () =>
      expectInvalid(() =>
        printLabelSelector({
          matchExpressions: [{ key: 'a', operator: 'In', values: [] }],
        }),
      ))
  })

  describe('match', () => {
    const cases: {
      name: string
      selector: LabelSelector
      labels?: Record<string, string>
      expected: boolean
    }[] = [
      { name: 'empty selects all', selector: {}, expected: true },
      {
        name: 'equal',
        selector: { matchLabels: { a: 'b' } },
        labels: { a: 'b', c: 'd' },
        expected: true,
      },
      {
        name: 'other value',
        selector: { matchLabels: { a: 'b' } },
        labels: { a: 'c' },
        expected: false,
      },
      {
        name: 'no labels at all',
        selector: { matchLabels: { a: 'b' } },
        expected: false,
      },
      {
        name: 'In, absent',
        selector: parseLabelSelector('a in (x,y)'),
        labels: {},
        expected: false,
      },
      {
        name: 'NotIn, absent',
        selector: parseLabelSelector('a notin (x,y)'),
        labels: {},
        expected: true,
      },
      {
        name: 'NotIn, listed',
        selector: parseLabelSelector('a!=x'),
        labels: { a: 'x' },
        expected: false,
      },
      {
        name: 'Exists with empty value',
        selector: parseLabelSelector('a'),
        labels: { a: '' },
        expected: true,
      },
      {
        name: 'DoesNotExist',
        selector: parseLabelSelector('!a'),
        labels: { a: '' },
        expected: false,
      },
      {
        name: 'inherited names are no labels',
        selector: parseLabelSelector('constructor'),
        labels: {},
        expected: false,
      },
      {
        name: 'all must hold',
        selector: parseLabelSelector('a=1,b=2'),
        labels: { a: '1', b: '3' },
        expected: false,
      },
    ]
    for (const { name, selector, labels, expected } of cases) {
      it(name, () => expect(matchesLabels(selector, labels)).to.equal(expected))
    }
  })
})

function expectInvalid(run: () => unknown): void {
  expect(run).to.throw(CodedError).with.property('code', 'InvalidLabelSelector')
}
