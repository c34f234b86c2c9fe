import { expect } from 'chai'
import type { Schema } from '../../../src/core/schema/schema.ts'
import { textHint } from '../../../src/core/schema/text-hint.ts'

describe('the hint for a value that has to be text', () => {
  const cases: readonly { readonly text: string; readonly schema: Schema; readonly hint: string | undefined }[] = [
    { text: '5', schema: { type: 'string' }, hint: 'write "5"' },
    { text: 'true', schema: { type: 'string', enum: ['trues', 'no'] }, hint: 'did you mean "trues"?' },
    { text: '5', schema: { type: 'string', pattern: '^a' }, hint: "it takes text that matches '^a'" },
  ]
  for (const { text, schema, hint } of cases) {
    it(`of ${text} is: ${hint}`, () => expect(textHint(text, schema)).to.equal(hint))
  }
})
