/**
 * Writes `src/sandbox/apiserver/kinds/table-columns.generated.json`: the columns of `kubectl get` for every built-in kind, as a
 * real server describes them: `node test/sandbox/apiserver/kinds/record-columns.ts <kubeconfig> [file]`.
 */
import { writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { realServer } from './real-server.ts'

interface Resource {
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
}

interface Column {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  readonly priority: number
}

const GROUP_VERSIONS = [
  'v1',
  'admissionregistration.k8s.io/v1',
  'apiextensions.k8s.io/v1',
  'apiregistration.k8s.io/v1',
  'apps/v1',
  'autoscaling/v1',
  'autoscaling/v2',
  'batch/v1',
  'certificates.k8s.io/v1',
  'coordination.k8s.io/v1',
  'discovery.k8s.io/v1',
  'events.k8s.io/v1',
  'flowcontrol.apiserver.k8s.io/v1',
  'networking.k8s.io/v1',
  'node.k8s.io/v1',
  'policy/v1',
  'rbac.authorization.k8s.io/v1',
  'resource.k8s.io/v1',
  'scheduling.k8s.io/v1',
  'storage.k8s.io/v1',
]
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'

const [, , kubeconfig = '', file] = argv
const { send, close } = realServer(kubeconfig)
const descriptions: string[] = []
const columns: Record<string, JsonObject[]> = {}
for (const groupVersion of GROUP_VERSIONS) {
  const base = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`
  const { body } = await send('GET', base)
  for (const resource of body.resources as unknown as Resource[]) {
    if (resource.name.includes('/') || !resource.verbs.includes('list')) continue
    const table = await send('GET', `${base}/${resource.name}?limit=1`, undefined, TABLE)
    columns[`${groupVersion} ${resource.kind}`] = (table.body.columnDefinitions as unknown as Column[]).map(shorten)
  }
}
const target = file ?? new URL('../../../../src/sandbox/apiserver/kinds/table-columns.generated.json', import.meta.url)
writeFileSync(target, `${JSON.stringify({ descriptions, columns })}\n`)
close()

/** Texts repeat a lot: each stands once in a list. */
function shorten({ name, type, format, description, priority }: Column): JsonObject {
  if (!descriptions.includes(description)) descriptions.push(description)
  return { name, type, format, description: descriptions.indexOf(description), priority }
}
