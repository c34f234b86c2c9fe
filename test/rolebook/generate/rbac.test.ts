import { expect } from 'chai'
import { rbacObjects, rulesOf } from '../../../src/rolebook/generate/rbac.ts'
import type { Right } from '../../../src/rolebook/generate/right.ts'
import { minimalRights } from '../../../src/rolebook/generate/right.ts'

const SETTINGS = { name: 'rolebook', namespace: 'ops' }
const right = (resource: string, verb: string, more: Partial<Right> = {}): Right => ({
  group: '',
  resource,
  verb,
  ...more,
})

describe('rules of RBAC', () => {
  it('put together what allows the same: verbs of a resource, and resources of a group', () => {
    const rights = ['pods', 'services'].flatMap((resource) => ['watch', 'get'].map((verb) => right(resource, verb)))
    const other = right('deployments', 'get', { group: 'apps' })
    expect(rulesOf([...rights, other])).to.deep.equal([
      { apiGroups: [''], resources: ['pods', 'services'], verbs: ['get', 'watch'] },
      { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] },
    ])
  })

  it('keep names apart: each pair would be allowed else', () => {
    const rights = [
      right('configmaps', 'get', { name: 'a' }),
      right('secrets', 'get', { name: 'b' }),
      right('pods', 'get'),
    ]
    expect(rulesOf(rights)).to.deep.equal([
      { apiGroups: [''], resources: ['configmaps'], resourceNames: ['a'], verbs: ['get'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['b'], verbs: ['get'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
    ])
  })

  it('are bound to the account: those everywhere by a ClusterRole, others by a Role in their namespace, named for whose it is outside of its own', () => {
    const rights = [
      right('pods', 'get', { namespace: 'b' }),
      right('pods', 'list'),
      right('pods', 'get', { namespace: 'a' }),
      right('pods', 'get', { namespace: 'ops' }),
    ]
    const objects = rbacObjects(rights, SETTINGS) as readonly { kind: string; metadata: object; subjects?: object }[]
    expect(objects.map(({ kind, metadata }) => ({ kind, ...metadata }))).to.deep.equal([
      { kind: 'ServiceAccount', name: 'rolebook', namespace: 'ops' },
      { kind: 'ClusterRole', name: 'ops:rolebook' },
      { kind: 'ClusterRoleBinding', name: 'ops:rolebook' },
      { kind: 'Role', name: 'ops:rolebook', namespace: 'a' },
      { kind: 'RoleBinding', name: 'ops:rolebook', namespace: 'a' },
      { kind: 'Role', name: 'ops:rolebook', namespace: 'b' },
      { kind: 'RoleBinding', name: 'ops:rolebook', namespace: 'b' },
      { kind: 'Role', name: 'rolebook', namespace: 'ops' },
      { kind: 'RoleBinding', name: 'rolebook', namespace: 'ops' },
    ])
    expect(objects[4]).to.deep.include({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'ops:rolebook' },
      subjects: [{ kind: 'ServiceAccount', name: 'rolebook', namespace: 'ops' }],
    })
  })
})

describe('minimal rights', () => {
  const wide = right('pods', 'get')
  const CASES: readonly { readonly name: string; readonly given: Right; readonly kept: boolean }[] = [
    { name: 'the same again', given: { ...wide }, kept: false },
    { name: 'the same of one name', given: { ...wide, name: 'a' }, kept: false },
    { name: 'the same in one namespace', given: { ...wide, namespace: 'a' }, kept: false },
    { name: 'the same of one name in one namespace', given: { ...wide, name: 'a', namespace: 'a' }, kept: false },
    { name: 'another verb', given: right('pods', 'list', { namespace: 'a' }), kept: true },
    { name: 'a subresource', given: right('pods/status', 'get'), kept: true },
    { name: 'another group', given: right('pods', 'get', { group: 'metrics.k8s.io' }), kept: true },
  ]
  for (const { name, given, kept } of CASES) {
    it(`${kept ? 'keep' : 'leave out'} ${name}`, () => {
      expect(minimalRights([given, wide])).to.have.length(kept ? 2 : 1)
    })
  }

  it('leave out one name in one namespace where that name is allowed everywhere, or all names there', () => {
    const narrow = right('pods', 'get', { name: 'a', namespace: 'n' })
    for (const wider of [right('pods', 'get', { name: 'a' }), right('pods', 'get', { namespace: 'n' })]) {
      expect(minimalRights([narrow, wider])).to.deep.equal([wider])
    }
  })
})
