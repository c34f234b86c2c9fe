/**
 * Writes what a real kube-apiserver makes at its start, besides roles, into the sandbox: priority levels and flow schemas,
 * and the APIServices of its own groups.
 *
 *     node test/sandbox/contract/record-start-objects.ts <kubeconfig> [folder]
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { argv } from 'node:process'
import { connectToCluster } from './server-under-test.ts'

interface Recording {
  /** Under the folder, which is `src/sandbox/apiserver` unless it is given. */
  readonly target: string
  readonly groupVersion: string
  readonly kinds: readonly string[]
  /** What says that the server made it. */
  readonly mark: readonly [field: 'labels' | 'annotations', name: string, value: string]
}

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g
const FOLDER = argv[3] ?? join(import.meta.dirname, '../../../src/sandbox/apiserver')

const RECORDINGS: readonly Recording[] = [
  {
    target: 'flow-control/defaults.generated.json',
    groupVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kinds: ['PriorityLevelConfiguration', 'FlowSchema'],
    mark: ['annotations', 'apf.kubernetes.io/autoupdate-spec', 'true'],
  },
  {
    target: 'aggregation/local-api-services.generated.json',
    groupVersion: 'apiregistration.k8s.io/v1',
    kinds: ['APIService'],
    mark: ['labels', 'kube-aggregator.kubernetes.io/automanaged', 'onstart'],
  },
]

const server = connectToCluster(argv[2] ?? '')
for (const recording of RECORDINGS) {
  const lines = await recorded(recording)
  const target = join(FOLDER, recording.target)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, `[\n ${lines.join(',\n ')}\n]\n`)
}
await server.close()

async function recorded({ groupVersion, kinds, mark: [field, name, value] }: Recording): Promise<readonly string[]> {
  const lines: string[] = []
  for (const kind of kinds) {
    const path = `/apis/${groupVersion}/${kind.toLowerCase()}s`
    const { text } = await server.send({ method: 'GET', path, headers: {}, body: undefined })
    for (const { metadata, spec, status } of JSON.parse(text).items) {
      if (metadata[field]?.[name] !== value) continue
      const { uid: _, resourceVersion: __, ...lasting } = metadata
      const line = JSON.stringify({ apiVersion: groupVersion, kind, metadata: lasting, spec, status })
      lines.push(line.replace(TIME, '<now>'))
    }
  }
  return lines
}
