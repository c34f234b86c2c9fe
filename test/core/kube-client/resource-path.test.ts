import { expect } from 'chai'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import type { ResourceMapping } from '../../../src/core/kube/resource-mapper.ts'
import { collectionPath, objectPath, withQuery } from '../../../src/core/kube-client/resource-path.ts'

const mapping = (group: string, plural: string, namespaced: boolean): ResourceMapping => ({
  gvk: { group, version: 'v1', kind: 'Kind' },
  plural,
  namespaced,
  subresources: [],
  verbs: [],
})
const pods = mapping('', 'pods', true)
const deployments = mapping('apps', 'deployments', true)
const roles = mapping('rbac.authorization.k8s.io', 'clusterroles', false)

describe('paths of resources', () => {
  const cases: { name: string; path: string; expected: string }[] = [
    { name: 'all of a core kind', path: collectionPath(pods, undefined), expected: '/api/v1/pods' },
    {
      name: 'one namespace',
      path: collectionPath(deployments, 'a'),
      expected: '/apis/apps/v1/namespaces/a/deployments',
    },
    {
      name: 'a subresource',
      path: objectPath(pods, { namespace: 'a', name: 'b', subresource: 'status' }),
      expected: '/api/v1/namespaces/a/pods/b/status',
    },
    {
      name: 'a name with colons keeps its case',
      path: objectPath(roles, { namespace: '', name: 'system:controller:MyRole' }),
      expected: '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Acontroller%3AMyRole',
    },
    {
      name: 'a query, encoded, without what is not set',
      path: withQuery('/x', { a: 'b=c,d in (e)', limit: 5, force: false, none: undefined, empty: '' }),
      expected: '/x?a=b%3Dc%2Cd%20in%20(e)&limit=5&force=false',
    },
  ]
  for (const { name, path, expected } of cases) it(name, () => expect(path).to.equal(expected))

  const refused = ['', '.', '..', 'a/b', '../x', '%2f', '%2e%2e', 'a\\b', 'a?b', 'a#b', 'a\u0000b', 'a\nb']
  for (const name of refused) {
    it(`refuses the name ${JSON.stringify(name)}`, () => {
      expect(() => objectPath(pods, { namespace: 'a', name })).to.throw(ApiError)
    })
    it(`refuses the namespace ${JSON.stringify(name)}`, () => {
      expect(() => objectPath(pods, { namespace: name, name: 'x' })).to.throw(ApiError)
    })
  }
  it('refuses a namespace for a cluster-scoped kind', () => {
    expect(() => objectPath(roles, { namespace: 'a', name: 'x' })).to.throw(ApiError)
  })
})
