import { SourceFile } from '../../src/core/yaml/source-file.ts'
import type { RoleSources } from '../../src/engine/role/parse/role-sources.ts'

/** Files of a role from texts, by path. */
export function sourcesOf(files: Readonly<Record<string, string>>): RoleSources {
  return {
    paths: Object.keys(files),
    read: (path) => (files[path] === undefined ? undefined : { source: new SourceFile(path, files[path]) }),
    chart: (path) => {
      const inside = Object.entries(files).filter(([name]) => name.startsWith(`${path}/`))
      const chart = new Map(inside.map(([name, text]) => [name.slice(path.length + 1), Buffer.from(text)]))
      return chart.has('Chart.yaml') ? { chart: { files: chart }, hash: JSON.stringify(inside) } : undefined
    },
    placeOf: (path) => `roles/web/${path}`,
  }
}
