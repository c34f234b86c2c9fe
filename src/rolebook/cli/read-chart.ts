import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { apiVersionOf } from '../../core/kube/group-version-kind.ts'
import type { Capabilities, Chart, Rendering } from '../../core/kube/helm-chart.ts'
import { ChartFailure } from '../../engine/chart/chart-failure.ts'
import { loadBuiltinSchemas } from '../../sandbox/cluster/load-builtin-schemas.ts'
import { sharedHelmRenderer } from '../library/helm-renderer.ts'
import { valueComments } from '../scaffold/value-comments.ts'
import { UsageError } from './command.ts'

/** A chart that a person names, with its files as they are to be copied. */
export interface NamedChart {
  readonly chart: Chart
  /** Where it belongs in the folder of a role. */
  readonly path: string
  /** By their paths in the folder of a role. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** What comments in its `values.yaml` say of the values; of a packed chart, nothing. */
  readonly comments: ReadonlyMap<string, string>
}

/** @throws UsageError when there is none, or Helm cannot read it */
export async function readChart(path: string): Promise<NamedChart> {
  const name = `charts/${basename(path)}`
  return refusing(path, async () => {
    if (statSync(path).isFile()) {
      const archive = readFileSync(path)
      const chart = await sharedHelmRenderer().loadChart({ archive })
      return { chart, path: name, files: new Map([[name, archive]]), comments: new Map() }
    }
    const files = readFolder(path)
    const chart = await sharedHelmRenderer().loadChart({ files })
    const place = `charts/${chart.name}`
    const comments = valueComments(new TextDecoder().decode(files.get('values.yaml')))
    return {
      chart,
      path: place,
      files: new Map([...files].map(([file, bytes]) => [`${place}/${file}`, bytes])),
      comments,
    }
  })
}

/** What becomes of a chart with its own values. @throws UsageError with what Helm says */
export async function renderAlone({ chart, path }: NamedChart, name: string): Promise<Rendering> {
  const release = { name, namespace: 'default', revision: 1 }
  const request = { chart, values: {}, release, capabilities: common(), draws: [], now: 0 }
  return refusing(path, () => sharedHelmRenderer().render(request))
}

/** What every cluster of today serves: the kinds that are built in, in versions that are there to stay. */
function common(): Capabilities {
  const stable = loadBuiltinSchemas()
    .resources()
    .filter(({ version }) => /^v\d+$/.test(version))
  const versions = stable.flatMap((resource) => [apiVersionOf(resource), `${apiVersionOf(resource)}/${resource.kind}`])
  return { kubeVersion: 'v1.36.0', apiVersions: [...new Set(versions)] }
}

/** Links are not followed: what they lead to may be anywhere. */
function readFolder(path: string): ReadonlyMap<string, Uint8Array> {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort()
  return new Map(paths.map((file) => [file.slice(join(path, sep).length).replaceAll(sep, '/'), readFileSync(file)]))
}

async function refusing<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isMissing = (error as { readonly code?: unknown }).code === 'ENOENT'
    if (!(error instanceof ChartFailure) && !isMissing) throw error
    throw new UsageError(`${path} is not a chart that can be used: ${(error as Error).message}`)
  }
}
