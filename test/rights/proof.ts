/**
 * Takes each right of `deploy/rbac.yaml` away in turn, on a real server, and lets the operator do all that it can: something must
 * be refused. Ends with code 1 when a right is not missed.
 *
 *     npm run proof:rights -- [--only TEXT] [--from TEXT]
 *
 * With `--only`, those that contain the text; with `--from`, those from the first one on that contains it.
 */
import process, { argv, stdout } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { installOperatorAccount } from '../cluster/operator-account.ts'
import type { AuditedRequest, AuditLog } from '../control-plane/audit-log.ts'
import { ControlPlane } from '../control-plane/control-plane.ts'
import { openTestCluster, type TestCluster } from '../scenarios/test-cluster.ts'
import { projectAt } from '../support/running-operator.ts'
import { RightsExercise } from './exercise.ts'
import { type GrantedRight, grantedRights, rolesWithout } from './granted-rights.ts'

const POLL_MS = 100
/** Until a request is in the audit log for certain. */
const AUDIT_MS = 5_000
const text = { type: 'string', default: '' } as const
const { values } = parseArgs({ args: argv.slice(2), options: { only: text, from: text } })
const plane = await ControlPlane.start()
const { kubeconfig, kubectl } = plane
const operatorKubeconfig = installOperatorAccount(plane)
const cluster = await openTestCluster(
  { kubeconfig, kubectl, operatorKubeconfig, stop: () => plane.stop() },
  (await projectAt()).crds,
)
try {
  process.exitCode = (await prove(cluster, plane.auditLog())) ? 0 : 1
} finally {
  await cluster.stop()
}

async function prove(on: TestCluster, audit: AuditLog): Promise<boolean> {
  const none = await refusedWithout([], on, audit)
  stdout.write(`with all rights: ${none ? describe(none) : 'nothing is refused'}\n`)
  const rights = chosenRights()
  const missed: GrantedRight[] = []
  for (const right of rights) {
    const refusal = await refusedWithout([right], on, audit)
    if (refusal) missed.push(right)
    stdout.write(`without ${right.text}: ${refusal ? describe(refusal) : 'NOTHING is refused'}\n`)
  }
  stdout.write(`\n${rights.length} rights, ${rights.length - missed.length} unused\n`)
  return none === undefined && missed.length === rights.length
}

function chosenRights(): readonly GrantedRight[] {
  const all = grantedRights()
  const start = all.findIndex((right) => right.text.includes(values.from))
  if (start < 0) throw new Error(`no right contains "${values.from}"`)
  return all.slice(start).filter((right) => right.text.includes(values.only))
}

/** The first request that is refused, if one is. */
async function refusedWithout(
  removed: readonly GrantedRight[],
  on: TestCluster,
  audit: AuditLog,
): Promise<AuditedRequest | undefined> {
  for (const role of rolesWithout(removed)) {
    await on.connection.client.apply(role, { fieldManager: 'proof', force: true })
  }
  audit.take()
  const seen = Promise.withResolvers<AuditedRequest>()
  const poll = setInterval(() => {
    const refusal = refusalIn(audit)
    if (refusal) seen.resolve(refusal)
  }, POLL_MS)
  try {
    // To its end: the next operator must not meet this one.
    const failure = await new RightsExercise(plane, on).run(seen.promise).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    const late = refusalIn(audit)
    if (late) seen.resolve(late)
    // What was refused may be in the log only after the operator has failed for it.
    const refusal = await Promise.race([seen.promise, failure ? sleep(AUDIT_MS, undefined) : undefined])
    if (failure && !refusal) throw failure.error
    return refusal
  } finally {
    clearInterval(poll)
  }
}

function refusalIn(audit: AuditLog): AuditedRequest | undefined {
  return audit.take().find(({ status }) => status === 403)
}

function describe({ verb, group, resource, namespace, name }: AuditedRequest): string {
  return `${verb} ${group}/${resource} ${namespace}/${name} is refused`
}
