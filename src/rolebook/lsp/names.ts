import { isJsonArray, isJsonObject } from '../../core/base/json.ts'
import type { SourceRange } from '../../core/yaml/diagnostic.ts'
import { parseYaml } from '../../core/yaml/parse-yaml.ts'
import { namesOf } from '../../engine/expression/expression-names.ts'
import { definitionsFor } from '../../engine/expression/function-table.ts'
import { parseExpression } from '../../engine/expression/parse-expression.ts'
import type { TaskDraft } from '../../engine/role/parse/draft-tasks.ts'
import type { ProjectView } from './project-view.ts'
import type { RoleAnalysis, TaskDocument } from './role-analysis.ts'

/** Where a variable of a role gets its value. */
export interface Definition {
  readonly name: string
  /** Of the name. */
  readonly range: SourceRange
  /** The path of the file whose expressions see it. Absent: all of the role. */
  readonly seenIn?: string | undefined
  /** The offset in its file from which on it is seen. */
  readonly from: number
}

/** Where a variable is read. */
export interface NameUse {
  readonly name: string
  /** Of the name without its `$`. */
  readonly range: SourceRange
}

/** All variables of a role, `vars` of watches.yaml included. */
export function definitionsOf(analysis: RoleAnalysis, view: ProjectView, role: string): readonly Definition[] {
  const { draft, documents } = analysis
  const vars = Object.keys(draft.vars).map((name) => {
    return { name, range: draft.document.locate(['vars', name], 'key'), from: 0 }
  })
  return [...vars, ...documents.flatMap(definitionsIn), ...givenInWatches(view, role)]
}

function definitionsIn({ document, tasks }: TaskDocument): readonly Definition[] {
  const seenIn = document.source.path
  return tasks.flatMap((task) => {
    const { path, modifiers, kind, body } = task
    const at = (name: unknown, range: SourceRange, from = range.start): readonly Definition[] =>
      typeof name === 'string' ? [{ name, range, seenIn, from }] : []
    const { start } = document.locate(path)
    const later = Object.keys(kind.names?.(body)?.forLaterTasks ?? {})
    return [
      ...at(modifiers.loopVar, unquoted(document.locate([...path, 'loopVar'])), start),
      ...at(modifiers.register, unquoted(document.locate([...path, 'register']))),
      ...later.flatMap((name) => at(name, document.locate([...path, kind.name, name], 'key'))),
      ...givenToFiles(task, document),
    ]
  })
}

/** Names that a task gives to the files that it runs. */
function givenToFiles(
  { kind, body, files, path }: TaskDraft,
  document: TaskDocument['document'],
): readonly Definition[] {
  const given = kind.names?.(body)?.forFiles ?? {}
  const field = Object.entries(isJsonObject(body) ? body : {}).find(([, value]) => value === given)?.[0]
  if (field === undefined) return []
  return [...files.values()].flatMap((file) =>
    Object.keys(given).map((name) => {
      const range = document.locate([...path, kind.name, field, name], 'key')
      return { name, range, seenIn: file.document.source.path, from: -1 }
    }),
  )
}

function givenInWatches({ files }: ProjectView, role: string): readonly Definition[] {
  const { source } = files.watches
  const [document] = source ? parseYaml(source, { single: true }).documents : []
  const entries = document && isJsonArray(document.value) ? document.value : []
  return entries.flatMap((entry, index) => {
    if (!isJsonObject(entry) || entry.role !== role || !isJsonObject(entry.vars) || !document) return []
    return Object.keys(entry.vars).map((name) => {
      return { name, range: document.locate([index, 'vars', name], 'key'), from: 0 }
    })
  })
}

function unquoted({ source, start, end }: SourceRange): SourceRange {
  const isQuoted = /^["']/.test(source.text.slice(start, end))
  return isQuoted ? { source, start: start + 1, end: end - 1 } : { source, start, end }
}

/** All places of a role that read a variable, each once. */
export function usesIn({ seen, functions }: RoleAnalysis): readonly NameUse[] {
  const found = new Map<string, NameUse>()
  for (const { source, locate } of seen) {
    for (const { name, position } of freeNames(source, functions)) {
      const range = locate(position - name.length, name.length)
      found.set(`${range.source.path} ${range.start}`, { name, range })
    }
  }
  return [...found.values()]
}

function freeNames(source: string, functions: RoleAnalysis['functions']) {
  try {
    const known = definitionsFor(functions)
    return namesOf(parseExpression(source), known).free.filter(({ name }) => !known.has(name))
  } catch {
    return []
  }
}

/**
 * The definitions that a name means at a place: several where a value of watches.yaml stands in for that of the role, or where a file is
 * included twice. A name never has two meanings in one scope (RB1103), so that the last one above the place is the one.
 */
export function meaningOf(name: string, range: SourceRange, all: readonly Definition[]): readonly Definition[] {
  const { path } = range.source
  const named = all.filter((one) => one.name === name)
  const inFile = named.filter((one) => one.seenIn === path)
  const own = inFile.filter(({ from, range: at }) => from >= 0 && from <= range.start && at.source.path === path)
  const last = own.reduce<Definition | undefined>(
    (best, one) => (!best || one.from >= best.from ? one : best),
    undefined,
  )
  if (last) return [last]
  const given = inFile.filter(({ from }) => from === -1)
  return given.length > 0 ? given : named.filter(({ seenIn }) => seenIn === undefined)
}

/** A variable with all places where it stands. */
export interface Variable {
  readonly name: string
  readonly definitions: readonly Definition[]
  readonly uses: readonly NameUse[]
}

/** The variable whose name stands at an offset of a file. */
export function variableAt(
  path: string,
  offset: number,
  { analysis, view, role }: { readonly analysis: RoleAnalysis; readonly view: ProjectView; readonly role: string },
): Variable | undefined {
  const all = definitionsOf(analysis, view, role)
  const uses = usesIn(analysis)
  const here = [...uses, ...all].find(({ range }) => holds(range, path, offset))
  if (!here) return undefined
  const definitions = meaningOf(here.name, here.range, all)
  const isSame = (use: NameUse): boolean =>
    use.name === here.name && meaningOf(use.name, use.range, all).some((one) => definitions.includes(one))
  return { name: here.name, definitions, uses: uses.filter(isSame) }
}

/** Whether an offset is in a range or at its end, or at the `$` in front of it. */
export function holds({ source, start, end }: SourceRange, path: string, offset: number): boolean {
  const from = source.text.charAt(start - 1) === '$' ? start - 1 : start
  return source.path === path && from <= offset && offset <= end
}
