import type { SourceRange } from '../../core/yaml/diagnostic.ts'
import { parseLoosely } from '../../core/yaml/parse-loosely.ts'
import { printFlowYaml } from '../../core/yaml/print-yaml.ts'
import { SourceFile } from '../../core/yaml/source-file.ts'
import { variableNameProblem } from '../../engine/role/compile/variable-names.ts'
import { variableAt } from './names.ts'
import type { Request } from './request.ts'
import { taskNameAt } from './task-names.ts'

/** A name at a place of a text: where it comes from, and where it is used. */
export interface Meaning {
  readonly definitions: readonly SourceRange[]
  readonly uses: readonly SourceRange[]
  /** What the name would be written as, or what is wrong with it. */
  rename(name: string): { readonly text: string } | { readonly problem: string }
}

export function meaningAt(request: Request): Meaning | undefined {
  const { path, offset, view } = request
  const use = view.useOf(path)
  if (!use) return undefined
  const roles = 'role' in use ? [use.role] : use.use === 'watches' ? [...view.files.roles.keys()] : []
  for (const role of roles) {
    const analysis = view.analysisOf(role)
    if (!analysis) continue
    const variable = variableAt(path, offset, { analysis, view, role })
    if (variable) {
      const definitions = variable.definitions.map(({ range }) => range)
      return { definitions, uses: variable.uses.map(({ range }) => range), rename: renameVariable }
    }
    const task = taskNameAt(path, offset, analysis.documents)
    if (task)
      return { definitions: [task.definition], uses: task.uses, rename: (text) => ({ text: printFlowYaml(text) }) }
  }
  return undefined
}

/** The place of a name at an offset: what an editor shows as the text to rename. */
export function nameAt({ definitions, uses }: Meaning, { path, offset }: Request): SourceRange | undefined {
  return [...definitions, ...uses].find(
    ({ source, start, end }) => source.path === path && start - 1 <= offset && offset <= end,
  )
}

function renameVariable(name: string): ReturnType<Meaning['rename']> {
  const problem = variableNameProblem(name)
  return problem ? { problem: problem.message } : { text: name }
}

/** The file that a text at a place names: a file of tasks, a text, a chart, or the role of an entry. */
export function fileAt({ path, text, offset, view }: Request): string | undefined {
  const use = view.useOf(path)
  if (!use) return undefined
  const place = parseLoosely(new SourceFile(path, text), offset).document?.placeAt(offset)
  const { scalar } = place ?? {}
  if (!place || !scalar || place.at === 'key') return undefined
  if (use.use === 'watches') {
    return place.path[1] === 'role' ? view.files.roles.get(scalar.text)?.role[0]?.path : undefined
  }
  if (!('role' in use)) return undefined
  return view.fileOfRole(use.role, argumentAt(scalar.text, scalar.offset) ?? scalar.text)
}

/** The text argument of a call around an offset: `motd.txt` in `$file("motd.txt")`. */
function argumentAt(text: string, offset: number): string | undefined {
  for (const match of text.matchAll(/\$\w+\(\s*(["'])([^"']*)\1\s*\)/g)) {
    if (match.index <= offset && offset <= match.index + match[0].length) return match[2]
  }
  return undefined
}
