/**
 * Writes the priority levels and flow schemas that a real kube-apiserver makes at its start into the sandbox.
 *
 *     node test/sandbox/contract/record-flow-control.ts <kubeconfig>
 */
import { writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { connectToCluster } from './server-under-test.ts'

const TARGET = new URL('../../../src/sandbox/apiserver/flow-control/defaults.generated.json', import.meta.url)
const GROUP = 'flowcontrol.apiserver.k8s.io/v1'

const server = connectToCluster(argv[2] ?? '')
const lines: string[] = []
for (const kind of ['PriorityLevelConfiguration', 'FlowSchema']) {
  const path = `/apis/${GROUP}/${kind.toLowerCase()}s`
  const { text } = await server.send({ method: 'GET', path, headers: {}, body: undefined })
  for (const item of JSON.parse(text).items.filter(isDefault)) lines.push(JSON.stringify(asCreated(kind, item)))
}
await server.close()
writeFileSync(TARGET, `[\n ${lines.join(',\n ')}\n]\n`)

function isDefault({ metadata }: JsonObject): boolean {
  const { annotations } = metadata as JsonObject
  return (annotations as JsonObject | undefined)?.['apf.kubernetes.io/autoupdate-spec'] !== undefined
}

function asCreated(kind: string, { metadata, spec }: JsonObject): JsonObject {
  const { name, annotations } = metadata as JsonObject
  return { apiVersion: GROUP, kind, metadata: { name, annotations }, spec }
}
