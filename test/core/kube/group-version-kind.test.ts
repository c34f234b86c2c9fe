import { expect } from 'chai'
import {
  apiVersionOf,
  formatGroupKind,
  formatGvk,
  gvkOf,
  parseGroupKind,
} from '../../../src/core/kube/group-version-kind.ts'
import { formatKey, keyOf } from '../../../src/core/kube/object.ts'

describe('group, version and kind', () => {
  const cases = [
    { apiVersion: 'v1', kind: 'Pod', gvk: { group: '', version: 'v1', kind: 'Pod' }, groupKind: 'Pod' },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      gvk: { group: 'apps', version: 'v1', kind: 'Deployment' },
      groupKind: 'Deployment.apps',
    },
    {
      apiVersion: 'cache.my.domain/v1alpha1',
      kind: 'Memcached',
      gvk: { group: 'cache.my.domain', version: 'v1alpha1', kind: 'Memcached' },
      groupKind: 'Memcached.cache.my.domain',
    },
  ]
  for (const { apiVersion, kind, gvk, groupKind } of cases) {
    it(`reads and prints ${apiVersion} ${kind}`, () => {
      expect(gvkOf({ apiVersion, kind })).to.deep.equal(gvk)
      expect(apiVersionOf(gvk)).to.equal(apiVersion)
      expect(formatGvk(gvk)).to.equal(`${apiVersion} ${kind}`)
      expect(formatGroupKind(gvk)).to.equal(groupKind)
      expect(parseGroupKind(groupKind)).to.deep.equal({ group: gvk.group, kind })
    })
  }
})

describe('the key of an object', () => {
  it('has its namespace', () => {
    const key = keyOf({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop' } })
    expect(key).to.deep.equal({ namespace: 'shop', name: 'web' })
    expect(formatKey(key)).to.equal('shop/web')
  })
  it('has an empty namespace when the object is cluster-scoped', () =>
    expect(formatKey(keyOf({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } }))).to.equal('n1'))
})
