/**
 * Writes the roles and bindings that a real kube-apiserver makes at its start into the sandbox.
 *
 *     node test/sandbox/contract/record-default-roles.ts <kubeconfig> [file]
 */
import { writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { connectToCluster } from './server-under-test.ts'

const TARGET = argv[3] ?? new URL('../../../src/sandbox/apiserver/access/default-roles.generated.json', import.meta.url)
const KINDS = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding']
const SELECTOR = 'labelSelector=kubernetes.io/bootstrapping=rbac-defaults'

const server = connectToCluster(argv[2] ?? '')
const lines: string[] = []
for (const kind of KINDS) {
  const path = `/apis/rbac.authorization.k8s.io/v1/${kind.toLowerCase()}s?${SELECTOR}`
  const { text } = await server.send({ method: 'GET', path, headers: {}, body: undefined })
  for (const item of JSON.parse(text).items) lines.push(JSON.stringify(asCreated(kind, item)))
}
await server.close()
writeFileSync(TARGET, `[\n ${lines.join(',\n ')}\n]\n`)

/** As the server has stored it, with `<now>` for all times, and without what the controller of aggregated roles adds. */
function asCreated(kind: string, { metadata, aggregationRule, roleRef, subjects, rules }: JsonObject): JsonObject {
  const { name, namespace, labels, annotations, managedFields } = metadata as JsonObject
  const entries = (managedFields as readonly JsonObject[])
    .filter(({ manager }) => manager === 'kube-apiserver')
    .map((entry) => ({ ...entry, time: '<now>' }))
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind,
    metadata: { name, namespace, creationTimestamp: '<now>', labels, annotations, managedFields: entries },
    aggregationRule,
    roleRef,
    subjects,
    rules: aggregationRule === undefined ? rules : null,
  }
}
