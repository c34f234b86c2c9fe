import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { ApiError } from '../../../src/core/kube/api-error.ts'
import { conditionsOf, findCondition } from '../../../src/core/kube/condition.ts'
import type { Gvk } from '../../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { parseBody } from '../../../src/core/yaml/parse-body.ts'
import type { Project } from '../../../src/engine/operator/project.ts'
import type { ResourceHistory } from '../../../src/engine/operator/run-history.ts'
import { explainPath, explainRoute, PROOF_HEADER, proofOf } from '../../../src/rolebook/cli/explain/explain-route.ts'
import { long } from '../../support/long-tests.ts'
import { OperatorAccount } from '../../support/operator-account.ts'
import { GADGET, OperatorSandbox, projectOf, SECRET, WIDGET } from '../../support/operator-sandbox.ts'
import { projectAt } from '../../support/running-operator.ts'

const RBAC = 'rbac.authorization.k8s.io'
const MANAGER = { fieldManager: 'test', force: true }
const TENANT = { ...GADGET, kind: 'Tenant' }

long.describe('an operator that has the computed rights and no more', function () {
  this.timeout(60_000)
  let sandbox: OperatorSandbox
  let account: OperatorAccount | undefined
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false, authorization: 'rbac', port: 0 })
  })
  afterEach(async () => {
    await sandbox.halt()
    await account?.close()
    account = undefined
    await sandbox.stop()
  })

  async function run(project: Project): Promise<OperatorAccount> {
    account = await OperatorAccount.create(sandbox)
    await account.grant(project)
    const { client, mapper, openApi } = account.connection
    sandbox.run(project, { client, mapper, openApi })
    return account
  }

  const read = (gvk: Gvk, name: string, namespace = ''): Promise<KubeObject | undefined> =>
    sandbox.client.get(gvk, { namespace, name })

  /** The condition of a resource without namespace, once it says that the work is done or cannot be. */
  async function outcomeOf(gvk: Gvk, name: string): Promise<string> {
    const seen = await sandbox.until(
      async () => {
        const resource = await read(gvk, name)
        return resource && findCondition(conditionsOf(resource), 'Ready')
      },
      (condition) => condition !== undefined && !['Running', 'Waiting'].includes(condition.reason ?? ''),
    )
    return `${seen?.reason}: ${seen?.message}`
  }

  it('explains what it did to who has read the resource', async () => {
    const { client } = await run(await projectOf({ widget: 'tasks: [{set: {a: 1}}]\n' }))
    const resource = await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
    const history = sandbox.operator?.history ?? { of: () => undefined }
    const answer = await explainRoute({ history, client, leads: () => true }).handle({
      path: explainPath(WIDGET, { namespace: 'default', name: 'w' }),
      query: new URLSearchParams(),
      signal: new AbortController().signal,
      header: (name) => (name === PROOF_HEADER ? proofOf(resource) : undefined),
    })
    expect(answer.status, answer.body).to.equal(200)
    expect((JSON.parse(answer.body) as ResourceHistory).runs).to.have.length.above(0)
  })

  it('runs examples/03-tenant, which binds a ClusterRole that may do more than the operator', async () => {
    const folder = 'examples/03-tenant'
    const project = await projectAt({ watchesFile: `${folder}/watches.yaml`, rolesPath: `${folder}/roles` })
    await sandbox.cluster.install(...project.crds)
    await run(project)
    const sample = readFileSync(`${folder}/roles/tenant/samples/tenant.yaml`, 'utf8')
    await sandbox.cluster.apply(parseBody(sample) as KubeObject)
    expect(await outcomeOf(TENANT, 'blue')).to.match(/^Ready: /)
    const binding = { group: RBAC, version: 'v1', kind: 'RoleBinding' }
    expect(await read(binding, 'tenant-admins', 'tenant-blue')).to.be.an('object')
  })

  const rule = (group: string, resources: string, verbs: string, more = ''): string =>
    `rules: [{apiGroups: ["${group}"], resources: [${resources}], verbs: [${verbs}]${more}}]`
  const FEW = rule('', 'nodes, pods/log', 'get, watch', ', resourceNames: [a, b]')
  const ref = (kind: string, name: string): string => `roleRef: {apiGroup: ${RBAC}, kind: ${kind}, name: ${name}}`
  const ensure = (kind: string, name: string, rest: string): string =>
    `ensure: {apiVersion: ${RBAC}/v1, kind: ${kind}, metadata: {${name}}, ${rest}}`
  const CLUSTER = 'name: given'
  const IN_DEFAULT = 'name: given, namespace: default'
  const MAKES = [
    { name: 'a ClusterRole', task: ensure('ClusterRole', CLUSTER, FEW) },
    { name: 'a ClusterRole that may do everything', task: ensure('ClusterRole', CLUSTER, rule('*', '"*"', '"*"')) },
    { name: 'a Role', task: ensure('Role', IN_DEFAULT, FEW) },
    { name: 'a binding of a ClusterRole', task: ensure('RoleBinding', IN_DEFAULT, ref('ClusterRole', 'edit')) },
    { name: 'a binding of a Role', task: ensure('RoleBinding', IN_DEFAULT, ref('Role', 'theirs')) },
    { name: 'a ClusterRoleBinding', task: ensure('ClusterRoleBinding', CLUSTER, ref('ClusterRole', 'cluster-admin')) },
  ]
  for (const { name, task } of MAKES) {
    it(`makes ${name} that grants what no other task needs`, async () => {
      expect(await outcomeOfTask(task)).to.match(/^Ready: /)
    })
  }

  const GRANT = `cannot write ${RBAC}/v1`
  const REFUSED = [
    {
      name: 'the role that a binding names',
      task: ensure('RoleBinding', IN_DEFAULT, ref('ClusterRole', '"${$ADMIN}"')),
      expected: `${GRANT} RoleBinding default/given: it grants more than the operator may do itself (grant the operator {apiGroups: ["${RBAC}"], resources: [clusterroles], resourceNames: [admin], verbs: [bind]})`,
    },
    {
      name: 'the role of a binding that is there',
      task: `patch: {apiVersion: ${RBAC}/v1, kind: RoleBinding, metadata: {name: bound, namespace: default, labels: {a: b}}}`,
      expected: `${GRANT} RoleBinding default/bound: it grants more than the operator may do itself (grant the operator {apiGroups: ["${RBAC}"], resources: [clusterroles], resourceNames: [admin], verbs: [bind]})`,
    },
    {
      name: 'a rule',
      task: ensure('Role', IN_DEFAULT, rule('', 'pods', '"${$GET}", list', ', resourceNames: [a]')),
      expected: `${GRANT} Role default/given: it grants more than the operator may do itself (grant the operator {apiGroups: [""], resources: ["pods"], resourceNames: ["a"], verbs: ["get", "list"]})`,
    },
  ]
  for (const { name, task, expected } of REFUSED) {
    it(`says in the condition what is to be granted, where only a run knows ${name}`, async () => {
      expect(await outcomeOfTask(task)).to.contain(expected)
    })
  }

  const MAKE = `tasks: [{ensure: {apiVersion: v1, kind: Secret, metadata: {name: made, namespace: "\${spec.where}"}}}]\n`
  const secret = (namespace: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'made', namespace },
  })

  it('may write nowhere but where its entry lets it, and is not stopped by what looks like its own elsewhere', async () => {
    await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } })
    const watches =
      '- {group: example.com, version: v1, kind: Widget, role: widget, namespaces: [default], allowedNamespaces: {read: ["*"]}}\n'
    const { metadata } = await sandbox.widget('w', { where: 'default' })
    const { client } = await run(await projectOf({ widget: MAKE }, watches))
    await sandbox.ready('Ready')
    const labels = { 'rolebook.dev/owner-uid': metadata.uid ?? '' }
    await sandbox.apply({ ...secret('other'), metadata: { ...secret('other').metadata, labels } })
    const { generation } = await sandbox.edit(WIDGET, 'w', { spec: { more: true } }).then((one) => one.metadata)
    await sandbox.ready('Ready', { generation: generation ?? 0 })
    const tries = [client.get(SECRET, { namespace: 'other', name: 'made' }), client.apply(secret('other'), MANAGER)]
    const codes = await Promise.all(tries.map((attempt) => attempt.catch(({ code }: ApiError) => code)))
    expect(codes).to.deep.equal(['Forbidden', 'Forbidden'])
  })

  it('goes on where its entry, and with it its rights, no longer reach what a resource without namespace has', async () => {
    await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } })
    const projectFor = (write: string): Promise<Project> =>
      projectOf(
        { gadget: MAKE },
        `- {group: example.com, version: v1, kind: Gadget, role: gadget, allowedNamespaces: {read: [other], write: [${write}]}}\n`,
      )
    const gadget = (where: string): KubeObject => ({
      apiVersion: 'example.com/v1',
      kind: 'Gadget',
      metadata: { name: 'g' },
      spec: { where },
    })
    await sandbox.apply(gadget('other'))
    const wide = await run(await projectFor('default, other'))
    expect(await outcomeOf(GADGET, 'g')).to.match(/^Ready: /)
    await sandbox.halt()
    await wide.close()
    const role = { group: RBAC, version: 'v1', kind: 'Role' }
    await sandbox.client.delete(role, { namespace: 'other', name: 'default:rolebook' })
    const { metadata } = await sandbox.apply(gadget('default'))
    await run(await projectFor('default'))
    await sandbox.ready('Ready', { gvk: GADGET, name: 'g', generation: metadata.generation ?? 0 })
    expect(sandbox.warnings).to.include('cannot remove an object: its namespace is not allowed any more')
    expect(await read(SECRET, 'made', 'other')).to.be.an('object')
    expect(await read(SECRET, 'made', 'default')).to.be.an('object')
  })

  /** Of a Gadget, which is in no namespace. Roles of RBAC may be made for it. */
  async function outcomeOfTask(task: string): Promise<string> {
    const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['list'] }]
    await sandbox.apply({ apiVersion: `${RBAC}/v1`, kind: 'Role', metadata: { name: 'theirs' }, rules })
    const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'admin' }
    await sandbox.apply({ apiVersion: `${RBAC}/v1`, kind: 'RoleBinding', metadata: { name: 'bound' }, roleRef })
    const kinds = ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'].map((kind) => `${kind}.${RBAC}`)
    const watches = `- {group: example.com, version: v1, kind: Gadget, role: gadget, acknowledge: [${kinds}]}\n`
    await run(await projectOf({ gadget: `vars: {ADMIN: admin, GET: get}\ntasks:\n  - ${task}\n` }, watches))
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' } })
    return outcomeOf(GADGET, 'g')
  }
})
