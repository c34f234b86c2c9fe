import { expect } from 'chai'
import { printFieldError } from '../../../../../src/core/schema/field-error.ts'
import { validateConditions } from '../../../../../src/sandbox/apiserver/kinds/common/conditions.ts'

const CONDITION = {
  type: 'Ready',
  status: 'True',
  reason: 'A'.repeat(1024),
  message: 'a'.repeat(32_768),
  lastTransitionTime: '2026-01-01T00:00:00Z',
}

describe('Conditions', () => {
  it('have reasons of 1,024 letters and messages of 32,768', () => {
    expect(validateConditions([CONDITION], 'status.conditions')).to.deep.equal([])
  })

  it('have no longer reasons and messages', () => {
    const { reason, message } = CONDITION
    const condition = { ...CONDITION, reason: `${reason}A`, message: `${message}a` }
    expect(validateConditions([condition], 'status.conditions').map(printFieldError)).to.deep.equal([
      'status.conditions[0].reason: Too long: may not be more than 1024 bytes',
      'status.conditions[0].message: Too long: may not be more than 32768 bytes',
    ])
  })
})
