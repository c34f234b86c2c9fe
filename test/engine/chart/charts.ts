import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** A chart for the comparison with `helm template`: its files, and values that are given to it. */
export interface ChartCase {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  /** YAML. */
  readonly given: string | undefined
}

export const CHARTS = join(import.meta.dirname, 'charts')
/** Takes seconds: compared on the spot in the cluster suite alone. */
export const SLOW_CHARTS = join(import.meta.dirname, 'slow-charts')
export const RECORDED = join(import.meta.dirname, 'recorded')

/** Each file of the folder is a chart: a line `-- path --` before each of its files. `given.yaml` is values on top of its own. */
export function chartCases(folder = CHARTS): readonly ChartCase[] {
  const names = readdirSync(folder).map((file) => basename(file, '.txt'))
  return names.sort().map((name) => {
    const parts = readFileSync(join(folder, `${name}.txt`), 'utf8')
      .split(/^-- (.+) --\n/m)
      .slice(1)
    const all = Object.fromEntries(parts.flatMap((path, i) => (i % 2 === 0 ? [[path, parts[i + 1] ?? '']] : [])))
    const { 'given.yaml': given, ...files } = all
    return { name, files, given }
  })
}

const ACTION = /\{\{(?:`[^`]*`|"(?:\\.|[^"\\])*"|[^`"])*?\}\}/g
const TEXT = /`[^`]*`|"(?:\\.|[^"\\])*"/g

/** The words in the actions of a chart's templates that can be calls of functions. */
export function callsIn({ files }: ChartCase): ReadonlySet<string> {
  const templates = Object.entries(files).filter(([path]) => /(^|\/)templates\//.test(path))
  const actions = templates.flatMap(([, text]) => text.match(ACTION) ?? [])
  return new Set(actions.flatMap((action) => action.replace(TEXT, '""').match(/(?<![\w.$])[a-zA-Z_]\w*/g) ?? []))
}
