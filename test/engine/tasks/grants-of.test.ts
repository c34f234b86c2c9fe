import { expect } from 'chai'
import { grantsOf } from '../../../src/engine/tasks/grants-of.ts'

const ROLE = { group: 'rbac.authorization.k8s.io', kind: 'Role' }

describe('what an object of RBAC grants', () => {
  it('is known to a run alone when a rule is not an object', () => {
    expect(grantsOf(ROLE, { rules: ['everything'] })).to.equal('computed')
  })
})
