import { globSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { parse } from 'yaml'
import type { JsonObject } from '../../src/core/base/json.ts'
import type { HelmRenderer } from '../../src/engine/chart/helm-renderer.ts'
import { newRenderer, requestFor } from '../engine/chart/renderer.ts'
import { moduleFolder } from './go-module.ts'
import { type CorpusDocument, itemsOf } from './read-documents.ts'
import type { ChartOfModule } from './sources.ts'

/** What our engine makes of charts, each a corpus of its own. */
export async function renderCharts(charts: readonly ChartOfModule[]): Promise<readonly CorpusDocument[]> {
  const renderer = newRenderer()
  try {
    const rendered = await Promise.all(charts.map((chart) => renderChart(renderer, chart)))
    return rendered.flat()
  } finally {
    await renderer.stop()
  }
}

async function renderChart(renderer: HelmRenderer, chartOfModule: ChartOfModule): Promise<readonly CorpusDocument[]> {
  const { name, values = '' } = chartOfModule
  const chart = await renderer.loadChart({ files: filesOf(chartOfModule) })
  const made = await renderer.render(
    requestFor(chart, {
      values: (parse(values) ?? {}) as JsonObject,
      release: { name: 'corpora', namespace: 'corpora', revision: 1 },
      draws: [],
    }),
  )
  return [...made.crds, ...made.manifests, ...made.hooks].flatMap(({ source, object }, index) =>
    itemsOf(object).map((item) => ({ corpus: `chart ${name}`, place: `${source}#${index}`, object: item })),
  )
}

/** Those of the chart, and of its dependencies in `charts/`, where Helm looks for them. */
function filesOf({ module, path, dependencies = [] }: ChartOfModule): ReadonlyMap<string, Uint8Array> {
  const root = moduleFolder(module)
  const added = dependencies.flatMap((dependency) =>
    [...filesIn(join(root, dependency))].map(
      ([file, content]) => [join('charts', basename(dependency), file), content] as const,
    ),
  )
  return new Map([...filesIn(join(root, path)), ...added])
}

function filesIn(folder: string): ReadonlyMap<string, Uint8Array> {
  const files = globSync(`${folder}/**/*`, { withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort()
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path)]))
}
