import { EventEmitter, once } from 'node:events'
import { expect } from 'chai'
import type { JsonObject } from '../../src/core/base/json.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import type { Connection } from '../../src/core/kube-client/connect.ts'
import type { Project } from '../../src/engine/operator/project.ts'
import { projectAt, type RunningOperator, startOperator } from '../support/running-operator.ts'
import { WriteLog } from '../support/write-log.ts'
import { type ClusterDriver, KIND } from './cluster-driver.ts'
import { httpDriver } from './http-driver.ts'
import { at, newObject, ready } from './objects.ts'
import { OPERATOR_AGENT, startTestCluster, type TestCluster } from './test-cluster.ts'

const CONTAINERS = ['spec', 'template', 'spec', 'containers'] as const
const PATH = `/${CONTAINERS.join('/')}`

interface Policy {
  readonly name: string
  /** CEL, of the JSON patches of a Deployment. */
  readonly patches: string
  /** What shows that it has been at work on a Deployment. */
  hasChanged(deployment: KubeObject | undefined): boolean
}

const POLICIES: readonly Policy[] = [
  {
    name: 'rewrites a field that the role sets',
    patches: `[JSONPatch{op: "replace", path: "${PATH}/0/image", value: "mirror.example.com/web:1"}]`,
    hasChanged: (deployment) => at(deployment, ...CONTAINERS, 0, 'image') === 'mirror.example.com/web:1',
  },
  {
    name: 'adds a sidecar',
    patches:
      'object.spec.template.spec.containers.exists(c, c.name == "side") ? [] : ' +
      `[JSONPatch{op: "add", path: "${PATH}/-", value: Object.spec.template.spec.containers{name: "side", image: "side:1"}}]`,
    hasChanged: (deployment) => at(deployment, ...CONTAINERS, 1, 'name') === 'side',
  },
]

describe('an admission policy changes what the operator sends', function () {
  this.timeout(300_000)
  const log = new WriteLog(OPERATOR_AGENT)
  const runs = new EventEmitter()
  let project: Project
  let cluster: TestCluster
  let operatorSide: Connection
  let running: RunningOperator | undefined
  let driver: ClusterDriver
  let namespace: string

  before(async function () {
    project = await projectAt()
    cluster = await startTestCluster(this, project, { intercept: log.intercept })
    operatorSide = await cluster.connectOperator()
  })
  beforeEach(async () => {
    namespace = await cluster.newNamespace('policy')
    driver = httpDriver(cluster.connection.client, namespace)
  })
  afterEach(async () => {
    await running?.stop()
    await cluster.clear()
    log.take()
  })
  after(() => cluster?.stop())

  const start = (): RunningOperator =>
    startOperator({ connection: operatorSide }, project, {
      watchNamespaces: [namespace],
      onRun: ({ outcome }) => void runs.emit(outcome),
    })

  /** Makes the operator look at the resource again, and returns its writes. */
  async function writesOfAnotherLook(label: string): Promise<Record<string, number>> {
    await running?.operator.idle()
    log.take()
    const looked = once(runs, 'complete')
    await driver.patch(KIND.appService, 'web', { metadata: { labels: { looked: label } } })
    await looked
    await running?.operator.idle()
    return log.take()
  }

  for (const policy of POLICIES) {
    it(`one that ${policy.name}: no write at rest, and at most one for each object after a restart`, async () => {
      await install(cluster, namespace, policy)
      running = start()
      const ports = [{ port: 80, targetPort: 80 }]
      await driver.apply(newObject(KIND.appService, 'web', { size: 1, image: 'web:1', ports }))
      await driver.until(KIND.appService, 'web', ready)
      await running.operator.idle()
      const { 'appservices/status': _progress, ...writes } = log.take()
      expect(writes, 'the first convergence').to.deep.equal({ deployments: 1, services: 1 })
      expect(policy.hasChanged(await driver.read(KIND.deployment, 'web')), 'the policy was at work').to.equal(true)
      expect(await writesOfAnotherLook('once'), 'at rest').to.deep.equal({})

      await running.stop()
      const looked = once(runs, 'complete')
      running = start()
      await looked
      await running.operator.idle()
      const { deployments = 0, ...others } = log.take()
      expect(others, 'after a restart').to.deep.equal({})
      expect(deployments, 'after a restart').to.be.within(0, 1)
      expect(await writesOfAnotherLook('again'), 'at rest after a restart').to.deep.equal({})
    })
  }
})

/** Applies the policy to the Deployments of a namespace, and returns when it is at work. */
async function install({ connection }: TestCluster, namespace: string, policy: Policy): Promise<void> {
  const { client, mapper } = connection
  // Before Kubernetes 1.36, policies that mutate are served as beta.
  const served = await mapper.preferred({ group: 'admissionregistration.k8s.io', kind: 'MutatingAdmissionPolicy' })
  const head = { apiVersion: `admissionregistration.k8s.io/${served?.version}`, metadata: { name: namespace } }
  const rule = {
    apiGroups: ['apps'],
    apiVersions: ['v1'],
    operations: ['CREATE', 'UPDATE'],
    resources: ['deployments'],
  }
  const matchConstraints: JsonObject = {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    resourceRules: [rule],
  }
  const mutations = [{ patchType: 'JSONPatch', jsonPatch: { expression: policy.patches } }]
  const spec = { matchConstraints, reinvocationPolicy: 'Never', mutations }
  const options = { fieldManager: 'test', force: true }
  await client.apply({ ...head, kind: 'MutatingAdmissionPolicy', spec }, options)
  const binding = { policyName: namespace }
  await client.apply({ ...head, kind: 'MutatingAdmissionPolicyBinding', spec: binding }, options)
  const probe = deployment(namespace)
  while (!policy.hasChanged(await client.create(probe, { fieldManager: 'test', dryRun: true }))) {
    // The server starts to apply a policy some time later, and does not report when.
  }
}

function deployment(namespace: string): KubeObject {
  const labels = { app: 'probe' }
  const containers = [{ name: 'web', image: 'web:1' }]
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'probe', namespace },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  }
}
