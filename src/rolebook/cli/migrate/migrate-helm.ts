import type { JsonObject } from '../../../core/base/json.ts'
import { formatGroupKind, type Gvk, gvkOf } from '../../../core/kube/group-version-kind.ts'
import { diagnosticAt } from '../../../core/yaml/diagnostic.ts'
import { printYaml } from '../../../core/yaml/print-yaml.ts'
import { SourceFile } from '../../../core/yaml/source-file.ts'
import { escalationProblem } from '../../../engine/role/check/escalating-kinds.ts'
import { loadBuiltinSchemas } from '../../../sandbox/cluster/load-builtin-schemas.ts'
import type { Migration } from '../../migrate/migration.ts'
import type { Finding } from '../../migrate/report.ts'
import { newChartRoleFiles, sampleName } from '../../scaffold/new-chart-role.ts'
import { readChart, renderAlone } from '../read-chart.ts'
import { knownKinds } from './known-kinds.ts'

/** A Helm chart to a project of ours: a kind whose spec is the values of the chart, and a role that installs it. */
export async function migrateHelm(path: string, kindFor: (chart: string) => Gvk): Promise<Migration> {
  const named = await readChart(path)
  const { chart } = named
  const gvk = kindFor(chart.name)
  const role = gvk.kind.toLowerCase()
  const rendering = await renderAlone(named, sampleName(gvk.kind))
  const made = [...rendering.crds, ...rendering.manifests, ...rendering.hooks].map(
    ({ object }) => object as { apiVersion: string; kind: string },
  )
  const texts = newChartRoleFiles({
    gvk,
    schemas: '../../schemas',
    chart,
    comments: named.comments,
    path: named.path,
    rendering,
  })
  const kinds = [...new Map(made.map((object) => [formatGroupKind(gvkOf(object)), gvkOf(object)])).values()]
  const files = new Map<string, string | Uint8Array>([
    ['watches.yaml', printYaml([[{ ...gvk, role, ...permissionsFor(kinds) }]])],
    ...[...Object.entries(texts).filter(isNoTest), ...named.files].map(
      ([file, content]) => [`roles/${role}/${file}`, content] as const,
    ),
  ])
  return {
    files,
    findings: findingsOf(path, { made, hooks: rendering.hooks.length, kinds: kinds.length }),
    diagnostics: [],
  }
}

/** What the entry in watches.yaml must allow so that the role may make such objects. */
function permissionsFor(kinds: readonly Gvk[]): JsonObject {
  const { isNamespaced } = knownKinds(loadBuiltinSchemas())
  const isWide = kinds.some((kind) => isNamespaced(kind) === false)
  const risky = kinds.filter((kind) => escalationProblem(kind, {}, []) !== undefined)
  return {
    ...(isWide && { allowedNamespaces: ['*'] }),
    ...(risky.length > 0 && { acknowledge: risky.map(formatGroupKind).sort() }),
  }
}

/** Its test is written once the role has run. */
function isNoTest([path]: readonly [string, string]): boolean {
  return !path.startsWith('tests/')
}

interface Made {
  readonly made: readonly unknown[]
  readonly hooks: number
  readonly kinds: number
}

function findingsOf(path: string, { made, hooks, kinds }: Made): readonly Finding[] {
  const source = new SourceFile(path, '\n')
  const { file, line, column } = diagnosticAt({ source, start: 0, end: 0 }, { code: '', message: '' })
  const finding = (kind: Finding['kind'], what: string, message: string): Finding => ({
    kind,
    file,
    line,
    column,
    what,
    message,
  })
  const note = 'kinds that other values make must be added to `kinds` of the task'
  return [
    finding('same', 'values', 'the spec of the resource'),
    finding('same', 'templates', `${made.length} objects with the values of the chart`),
    ...(hooks > 0 ? [finding('same', 'hooks', `${hooks}, run as Helm does`)] : []),
    finding('note', 'kinds', `${kinds} kinds; ${note}`),
  ]
}
