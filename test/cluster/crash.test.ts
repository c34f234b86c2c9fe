import { expect } from 'chai'
import { isJsonArray, isJsonObject, type JsonValue } from '../../src/core/base/json.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { type ClusterDriver, KIND } from '../scenarios/cluster-driver.ts'
import { httpDriver } from '../scenarios/http-driver.ts'
import { newObject, ready } from '../scenarios/objects.ts'
import { OPERATOR_AGENT, startTestCluster, type TestCluster } from '../scenarios/test-cluster.ts'
import { eventually } from '../support/eventually.ts'
import { RolebookProcess } from '../support/rolebook-process.ts'
import { projectAt } from '../support/running-operator.ts'
import { WriteLog } from '../support/write-log.ts'

/** More writes than a MaintPage takes: the loop ends by itself when a run has no such write any more. */
const MOST_WRITES = 20

const page = newObject(KIND.maintPage, 'page', {
  maintpageconfig: { maintpagetoggle: true, maintpageimage: 'page:1' },
  appconfig: { appname: 'httpd', appimage: 'app:1' },
})

describe('the operator is killed', function () {
  this.timeout(600_000)
  const log = new WriteLog(OPERATOR_AGENT)
  let cluster: TestCluster
  let program: RolebookProcess | undefined

  before(async function () {
    cluster = await startTestCluster(this, await projectAt(), { intercept: log.intercept })
  })
  after(async () => {
    await program?.stop()
    await cluster?.stop()
  })

  // A lease would have the next one wait until that of the killed one is over.
  const start = (): RolebookProcess =>
    new RolebookProcess(['run', '--leader-elect=false', '--kubeconfig', cluster.operatorKubeconfig])

  it('after each single write, before its answer: it ends in the same objects, with nothing doubled', async () => {
    const reference = await converge(undefined)
    let killedAt = 0
    for (; killedAt < MOST_WRITES; killedAt++) {
      const result = await converge(killedAt)
      expect(result.objects, `killed after write ${killedAt + 1}`).to.equal(reference.objects)
      expect(result.created, `objects made when killed after write ${killedAt + 1}`).to.deep.equal(reference.created)
      if (!result.wasKilled) break
    }
    expect(killedAt, 'writes of a run: a pod, a Deployment, a Service and the status').to.be.within(4, MOST_WRITES - 1)
  })

  /**
   * Runs a MaintPage to its end in a new namespace, with the operator killed after write number `killAt` and restarted.
   * The restarted one is the next to be killed; it has the pages of before to leave alone, too.
   */
  async function converge(killAt: number | undefined) {
    const namespace = await cluster.newNamespace('crash')
    const driver = httpDriver(cluster.connection.client, namespace)
    program ??= start()
    const running = program
    let seen = 0
    let inFlight = 0
    let wasKilled = false
    let isOver = false
    log.take()
    log.onWrite((_write, phase) => {
      inFlight += phase === 'before' ? 1 : -1
      if (wasKilled && running === program) return 'drop'
      if (isOver || phase !== 'after' || seen++ !== killAt) return undefined
      wasKilled = true
      void running.stop('SIGKILL')
      return 'drop'
    })
    await driver.apply(page)
    await Promise.race([running.ended(), driver.until(KIND.maintPage, 'page', ready)])
    // A write can be seen in the cluster before the operator has its answer, and this may be the one to be killed at.
    await eventually(() => wasKilled || inFlight <= 0, 'each write has its answer')
    isOver = true
    if (wasKilled) {
      await running.ended()
      program = start()
    }
    await program.during(driver.until(KIND.maintPage, 'page', ready))
    const created = log.writes.filter(({ status }) => status === 201).map(({ resource, name }) => `${resource}/${name}`)
    created.sort()
    return { wasKilled, created, objects: JSON.stringify(await stateOf(driver), null, 1) }
  }
})

/** Everything there is, less what differs in every run: versions, times, uids and names with random parts. */
async function stateOf(driver: ClusterDriver): Promise<unknown> {
  const kinds = [KIND.maintPage, KIND.pod, KIND.deployment, KIND.service, KIND.configMap]
  const state = await Promise.all(
    kinds.map(async (kind) => [kind.kind, (await driver.list(kind)).map(masked)] as const),
  )
  return Object.fromEntries(state)
}

function masked({ metadata, spec, status, ...rest }: KubeObject): unknown {
  const { name, labels = {}, finalizers, ownerReferences = [] } = metadata
  const isOfReplicaSet = ownerReferences.some(({ kind }) => kind === 'ReplicaSet')
  const shown = {
    name: isOfReplicaSet ? 'pod of a ReplicaSet' : name,
    labels: Object.keys(labels).sort(),
    finalizers,
    owners: ownerReferences.map((owner) => owner.kind),
  }
  return withoutVolatile({ ...rest, metadata: shown, spec, status })
}

const VOLATILE = new Set(
  'clusterIP clusterIPs nodePort podIP podIPs lastTransitionTime lastUpdateTime startTime startedAt containerID message'.split(
    ' ',
  ),
)

function withoutVolatile(value: JsonValue | undefined): JsonValue | undefined {
  if (isJsonArray(value)) return value.map((item) => withoutVolatile(item) ?? null)
  if (typeof value === 'string') return value.replace(/^kube-api-access-\w+$/, 'kube-api-access')
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).filter(([key, inner]) => inner !== undefined && !VOLATILE.has(key))
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutVolatile(inner)]))
}
