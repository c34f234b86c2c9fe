import type { TemporaryFolder } from '../../test/support/temporary-folder.ts'
import { configMapNames, GROUP, type Workload, widgetCrd, widgetGvks } from './workload.ts'

/** Writes the workload as a role, and returns the path of its `watches.yaml`. JSON is YAML, too. */
export function writeProject(folder: TemporaryFolder, workload: Workload): string {
  const gvks = widgetGvks(workload)
  for (const { kind } of gvks) {
    const role = kind.toLowerCase()
    folder.write(`roles/${role}/role.yaml`, JSON.stringify(roleOf(workload), null, 2))
    folder.write(`roles/${role}/crd.yaml`, JSON.stringify(widgetCrd(kind), null, 2))
  }
  const watches = gvks.map(({ kind }) => ({ group: GROUP, version: 'v1', kind, role: kind.toLowerCase() }))
  return folder.write('watches.yaml', JSON.stringify(watches, null, 2))
}

/** The parts of the role that a benchmark changes. */
export interface BenchRole {
  readonly vars?: object
  readonly tasks: readonly BenchTask[]
}

interface BenchTask {
  readonly ensure?: { readonly apiVersion: string; readonly kind: string; readonly metadata: object }
  readonly status?: object
}

export function roleOf(workload: Workload): BenchRole {
  const configMaps = configMapNames('${metadata.name}', workload).map((name) =>
    ensure('ConfigMap', name, { data: { text: '${spec.text}' } }),
  )
  const secret = ensure('Secret', '${metadata.name}', { data: { token: '${$base64encode(spec.token)}' } })
  const account = ensure('ServiceAccount', '${metadata.name}', {})
  return { tasks: [...configMaps, secret, account, { status: { text: '${spec.text}' } }] }
}

function ensure(kind: string, name: string, content: object): BenchTask {
  return { ensure: { apiVersion: 'v1', kind, metadata: { name }, ...content } }
}
