import { expect } from 'chai'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import {
  type Attempt,
  attempt,
  isOfTerminatingNamespace,
} from '../../../../src/engine/reconcile/apply/request-failure.ts'
import type { TaskFailure } from '../../../../src/engine/role/task-outcome.ts'

function attemptOf(kind: string, verb: Attempt['verb']): Attempt {
  const gvk = { group: '', version: 'v1', kind }
  const mapping = { gvk, plural: `${kind.toLowerCase()}s`, namespaced: true, subresources: [], verbs: [] }
  return { verb, mapping, key: { namespace: 'd', name: 'x' } }
}

async function refusalOf(error: Error, what: Attempt): Promise<Error> {
  return attempt(what, () => Promise.reject(error)).then(
    () => new Error('it went through'),
    (refusal: Error) => refusal,
  )
}

describe('What is said about a refused request', () => {
  const rights: { verb: Attempt['verb']; refused: string; expected: string }[] = [
    {
      verb: 'patch',
      refused: 'create',
      expected: 'cannot create configmaps in namespace "d": the right is missing (grant […create, patch])',
    },
    {
      verb: 'patch',
      refused: 'patch',
      expected: 'cannot patch configmaps in namespace "d": the right is missing (grant […patch])',
    },
    {
      verb: 'list',
      refused: 'watch',
      expected: 'cannot watch configmaps in namespace "d": the right is missing (grant […get, list, watch])',
    },
    {
      verb: 'delete',
      refused: 'delete',
      expected: 'cannot delete configmaps in namespace "d": the right is missing (grant […delete])',
    },
  ]
  for (const { verb, refused, expected } of rights) {
    it(`names the verb that the server refuses and all that are needed: ${refused} of ${verb}`, async () => {
      const text = `configmaps is forbidden: User "x" cannot ${refused} resource "configmaps" in API group ""`
      const { message } = await refusalOf(new ApiError(403, 'Forbidden', text), attemptOf('ConfigMap', verb))
      expect(message.replace(/\{.*verbs: \[/, '[…').replace(/\}\)$/, ')')).to.equal(expected)
    })
  }

  it('is nothing when the request was aborted: the reason of the abort is passed on', async () => {
    const stop = new Error('the operator stops')
    expect(await refusalOf(stop, attemptOf('ConfigMap', 'patch'))).to.equal(stop)
  })

  it('says that a right is missing in the cluster where it is not one of a namespace', async () => {
    const text = 'x is forbidden: User "x" cannot list resource "configmaps" in API group "" at the cluster scope'
    const { message } = await refusalOf(new ApiError(403, 'Forbidden', text), attemptOf('ConfigMap', 'list'))
    expect(message).to.match(/^cannot list configmaps in the cluster: /)
  })

  const GRANTING: readonly { name: string; lines: readonly string[]; object?: object; expected: string }[] = [
    {
      name: 'the rules that a role has and the operator has not',
      lines: [
        '{APIGroups:["apps"], Resources:["pods" "nodes"], ResourceNames:["a"], Verbs:["get" "list"]}',
        '{NonResourceURLs:["/x"], Verbs:["get"]}; resolution errors: [{"a"}]',
      ],
      expected:
        '{apiGroups: ["apps"], resources: ["pods", "nodes"], resourceNames: ["a"], verbs: ["get", "list"]}, {nonResourceURLs: ["/x"], verbs: ["get"]}',
    },
    {
      name: 'some of many rules, and how many more there are',
      lines: ['a', 'b', 'c', 'd', 'e'].map((verb) => `{Verbs:["${verb}"]}`),
      expected: '{verbs: ["a"]}, {verbs: ["b"]}, {verbs: ["c"]} and 2 more',
    },
    {
      name: 'the one verb that a binding takes',
      lines: ['{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'],
      object: { roleRef: { kind: 'ClusterRole', name: 'view' } },
      expected: '{apiGroups: [""], resources: [clusterroles], resourceNames: [view], verbs: [bind]}',
    },
  ]
  for (const { name, lines, object, expected } of GRANTING) {
    it(`names what is to be granted to who grants: ${name}`, async () => {
      const grants = `user "x" (groups=["y"]) is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}`
      const error = new ApiError(403, 'Forbidden', `roles.rbac.authorization.k8s.io "x" is forbidden: ${grants}`)
      const what = { ...attemptOf('Role', 'patch'), object: object as KubeObject }
      const refusal = (await refusalOf(error, what)) as TaskFailure
      const start = 'cannot write v1 Role d/x: it grants more than the operator may do itself (grant the operator '
      expect([refusal.reason, refusal.message]).to.deep.equal(['Forbidden', `${start}${expected})`])
    })
  }

  it('says that the namespace is being deleted, and differs from other refusals', async () => {
    const causes = [{ reason: 'NamespaceTerminating', field: 'metadata.namespace', message: 'x' }]
    const error = new ApiError(403, 'Forbidden', 'x is forbidden', { status: { details: { causes } } })
    const refusal = await refusalOf(error, attemptOf('ConfigMap', 'patch'))
    expect(refusal.message).to.match(/^cannot create v1 ConfigMap d\/x: /)
    expect([refusal, error, new Error('x')].map(isOfTerminatingNamespace)).to.deep.equal([true, true, false])
  })

  it('is the reason alone where the server names no field of a Secret', async () => {
    const error = new ApiError(413, 'RequestEntityTooLarge', 'value "hunter2"')
    const { message } = await refusalOf(error, attemptOf('Secret', 'patch'))
    expect(message).to.equal('cannot patch v1 Secret d/x: RequestEntityTooLarge')
  })

  it('keeps fields, reasons and managers of a refused Secret, and no values', async () => {
    const causes = [
      { reason: 'FieldManagerConflict', field: '.data.k', message: 'conflict with "person" using v1' },
      { reason: 'FieldValueInvalid', field: 'data[a]', message: 'Invalid value: "hunter2"' },
    ]
    const error = new ApiError(409, 'Conflict', 'value "hunter2"', { status: { details: { causes } } })
    const refusal = (await refusalOf(error, attemptOf('Secret', 'patch'))) as ApiError
    expect(refusal.causes).to.deep.equal([
      { reason: 'FieldManagerConflict', field: '.data.k', message: 'conflict with "person"' },
      { reason: 'FieldValueInvalid', field: 'data[a]', message: undefined },
    ])
    expect(JSON.stringify([refusal.message, refusal.status])).to.not.contain('hunter2')
  })
})
