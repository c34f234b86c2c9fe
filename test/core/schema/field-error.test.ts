import { expect } from 'chai'
import { causeOf, type FieldError, printFieldError } from '../../../src/core/schema/field-error.ts'
import { goJson } from '../../../src/core/schema/go-json.ts'

describe('field errors', () => {
  const cases: readonly { error: FieldError; text: string; reason: string }[] = [
    { error: { type: 'Required', field: 'a', detail: '' }, text: 'a: Required value', reason: 'FieldValueRequired' },
    {
      error: { type: 'Invalid', field: 'a', detail: 'why', value: -1 },
      text: 'a: Invalid value: -1: why',
      reason: 'FieldValueInvalid',
    },
    {
      error: { type: 'Invalid', field: '', detail: 'why', value: '' },
      text: '<nil>: Invalid value: "": why',
      reason: 'FieldValueInvalid',
    },
    {
      error: { type: 'Duplicate', field: 'a[1]', detail: '', value: { k: '<' } },
      text: 'a[1]: Duplicate value: {"k":"\\u003c"}',
      reason: 'FieldValueDuplicate',
    },
    {
      error: { type: 'TooLong', field: 'a', detail: 'long', value: 'x' },
      text: 'a: Too long: long',
      reason: 'FieldValueTooLong',
    },
    {
      error: { type: 'TooShort', field: 'a', detail: 'short', value: 'x' },
      text: 'a: Too short: short',
      reason: 'FieldValueTooShort',
    },
    {
      error: { type: 'TooMany', field: 'a', detail: 'many', value: 3 },
      text: 'a: Too many: 3: many',
      reason: 'FieldValueTooMany',
    },
    {
      error: { type: 'TypeInvalid', field: 'a', detail: 'type' },
      text: 'a: Invalid value: null: type',
      reason: 'FieldValueTypeInvalid',
    },
    { error: { type: 'Forbidden', field: 'a', detail: 'no' }, text: 'a: Forbidden: no', reason: 'FieldValueForbidden' },
  ]
  for (const { error, text, reason } of cases) {
    it(text, () => {
      expect(printFieldError(error)).to.equal(text)
      expect(causeOf(error)).to.deep.equal({
        reason,
        message: text.slice(text.indexOf(': ') + 2),
        field: error.field || '<nil>',
      })
    })
  }
})

describe('JSON as Go writes it', () => {
  it('has sorted keys and no way out of HTML', () => {
    expect(goJson({ b: 1, a: '<&>\u2028\f', c: [{ z: null, y: true }] })).to.equal(
      '{"a":"\\u003c\\u0026\\u003e\\u2028\\u000c","b":1,"c":[{"y":true,"z":null}]}',
    )
    expect(goJson('a\\b')).to.equal('"a\\\\b"')
    expect(goJson(undefined)).to.equal('null')
  })
})
