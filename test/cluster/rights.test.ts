import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { parseAllDocuments } from 'yaml'
import type { AuditedRequest } from '../control-plane/audit-log.ts'
import { appServiceScenarios, webServiceScenarios } from '../scenarios/appservice-scenarios.ts'
import { httpDriver } from '../scenarios/http-driver.ts'
import { maintPageScenarios } from '../scenarios/maintpage-scenarios.ts'
import { memcachedAlphaScenarios, memcachedScenarios } from '../scenarios/memcached-scenarios.ts'
import { startTestCluster, type TestCluster } from '../scenarios/test-cluster.ts'
import { projectAt, type RunningOperator, startOperator } from '../support/running-operator.ts'
import { sharedControlPlane } from './shared-control-plane.ts'

const SCENARIOS = [
  ...maintPageScenarios,
  ...appServiceScenarios,
  ...webServiceScenarios,
  ...memcachedScenarios,
  ...memcachedAlphaScenarios,
]

/** Rights that no scenario uses, and what for they are there. */
const UNUSED: Readonly<Record<string, RegExp>> = {
  'every ten minutes a kind is listed to make sure, and always where the server streams no lists': / list$/,
  'an admission plugin asks for it that this server does not run': /\/finalizers update$/,
  'a resource is read when its labels have left a selector': /\.\w+\/\w+ get$/,
  'a resource gets a finalizer when a child lies where no owner reference reaches': /\.\w+\/\w+ patch$/,
  'a role is edited so that it makes no Pod any more': /^\/pods delete$/,
}

describe('the rights of deploy/rbac.yaml', function () {
  this.timeout(180_000)
  let cluster: TestCluster
  let operator: RunningOperator
  let requests: readonly AuditedRequest[] = []

  before(async function () {
    const audit = (await sharedControlPlane(this)).auditLog()
    const project = await projectAt()
    cluster = await startTestCluster(this, project)
    operator = startOperator({ connection: await cluster.connectOperator() }, project)
    const { client } = cluster.connection
    for (const { run } of SCENARIOS) await run(httpDriver(client, await cluster.newNamespace('rights')))
    await operator.stop()
    requests = audit.take()
  })
  after(async () => {
    await operator?.stop()
    await cluster?.stop()
  })

  it('are enough: the server refuses the operator nothing', () => {
    expect(requests.filter(({ status }) => [401, 403].includes(status))).to.deep.equal([])
    expect(requests).to.have.length.above(200)
  })

  it('are no more than it uses', () => {
    const used = new Set(requests.flatMap(rightsOf))
    const spare = grantedRights().filter((right) => !used.has(right))
    const unexplained = spare.filter((right) => !Object.values(UNUSED).some((pattern) => pattern.test(right)))
    expect(unexplained).to.deep.equal([])
  })
})

/** `apps/deployments patch`. An apply that makes an object needs the right to create it, too. */
function rightsOf({ group, resource, verb, status }: AuditedRequest): readonly string[] {
  const verbs = verb === 'patch' && status === 201 ? ['patch', 'create'] : [verb]
  return verbs.map((one) => `${group}/${resource} ${one}`)
}

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

function grantedRights(): readonly string[] {
  const documents = parseAllDocuments(readFileSync('deploy/rbac.yaml', 'utf8')).map((document) => document.toJS())
  const rules: readonly Rule[] = documents.flatMap(({ rules = [] }) => rules)
  return rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.map((verb) => `${group}/${resource} ${verb}`))),
  )
}
