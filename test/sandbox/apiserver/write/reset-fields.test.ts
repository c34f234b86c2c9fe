import { expect } from 'chai'
import type { JsonPath } from '../../../../src/core/base/json.ts'
import type { ServedResource } from '../../../../src/sandbox/apiserver/served-resource.ts'
import { resetFieldsOf } from '../../../../src/sandbox/apiserver/write/reset-fields.ts'

/** As each server makes one of its own. */
function resource(main: readonly JsonPath[], status: readonly JsonPath[]): ServedResource {
  return { rules: { resetFields: { main, status } } } as unknown as ServedResource
}

describe('fields that an endpoint ignores', () => {
  const [first, second] = [resource([['status']], [['spec']]), resource([['status']], [['spec'], ['metadata']])]

  it('are those of the endpoint', () => {
    expect(resetFieldsOf(first, '')?.toFieldsV1()).to.deep.equal({ 'f:status': {} })
    expect(resetFieldsOf(second, 'status')?.toFieldsV1()).to.deep.equal({ 'f:metadata': {}, 'f:spec': {} })
  })

  it('are the very same set for another server', () => {
    expect(resetFieldsOf(second, '')).to.equal(resetFieldsOf(first, ''))
    expect(resetFieldsOf(resource([['status']], [['spec']]), 'status')).to.equal(resetFieldsOf(first, 'status'))
    expect(resetFieldsOf(second, 'status')).not.to.equal(resetFieldsOf(first, 'status'))
  })
})
