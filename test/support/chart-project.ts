import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Project } from '../../src/engine/operator/project.ts'
import { projectAt } from './running-operator.ts'

const CHART = 'apiVersion: v2\nname: app\nversion: 1.0.0\nappVersion: "7"\n'
const WATCHES = '- {group: example.com, version: v1, kind: Widget, role: widget}\n'

/** A role whose only chart makes ConfigMaps, Secrets and Jobs. */
export const chartRole = (task = ''): string => `tasks:
  - name: App
    chart:
      path: charts/app
      kinds: [v1/ConfigMap, v1/Secret, batch/v1/Job]
${task}
    register: release
  - status:
      release: { name: "\${$release.name}", chart: "\${$release.chartVersion}", app: "\${$release.appVersion}", count: "\${$count($release.objects)}" }
`

/** A ConfigMap of a chart. */
export const mapOfChart = (name: string, data: string, metadata = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: "{{ .Release.Name }}-${name}"\n${metadata}data:\n  a: ${data}\n`

/** A project of Widgets, with the files of the chart of their role; and other files, by their whole path. */
export async function chartProject(
  files: Readonly<Record<string, string>>,
  role = chartRole(),
  others: Readonly<Record<string, string>> = {},
): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'rolebook-chart-'))
  const all = {
    'watches.yaml': WATCHES,
    'roles/widget/role.yaml': role,
    'roles/widget/charts/app/Chart.yaml': CHART,
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`roles/widget/charts/app/${name}`, text])),
    ...others,
  }
  try {
    for (const [name, text] of Object.entries(all)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    return await projectAt({ watchesFile: join(folder, 'watches.yaml'), rolesPath: join(folder, 'roles') })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
