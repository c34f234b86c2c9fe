import { expect } from 'chai'
import { roleInput } from '../../../../src/engine/role/run/role-input.ts'

describe('roleInput', () => {
  const resource = {
    apiVersion: 'example.com/v1',
    kind: 'Web',
    metadata: {
      name: 'web',
      uid: 'u',
      generation: 3,
      resourceVersion: '7',
      managedFields: [{ manager: 'm' }],
      labels: { a: 'b' },
    },
    spec: { size: 1, none: null, list: [null, { a: null }] },
    status: { ready: true },
    extra: 1,
  }

  it('leaves out status, managedFields, resourceVersion and nulls', () => {
    expect(roleInput(resource)).to.deep.equal({
      apiVersion: 'example.com/v1',
      kind: 'Web',
      metadata: { name: 'web', uid: 'u', generation: 3, labels: { a: 'b' } },
      spec: { size: 1, list: [{}] },
      extra: 1,
    })
  })

  it('is frozen, the resource is untouched', () => {
    const input = roleInput(resource) as { spec: object }
    expect(Object.isFrozen(input.spec)).to.equal(true)
    expect(resource.status).to.deep.equal({ ready: true })
    expect(resource.metadata.resourceVersion).to.equal('7')
  })
})
