import type { JsonObject } from '../../core/base/json.ts'
import type { Gvk } from '../../core/kube/group-version-kind.ts'
import type { ParsedYaml } from '../../core/yaml/parsed-yaml.ts'
import type { SourceFile } from '../../core/yaml/source-file.ts'
import type { FunctionTable } from '../../engine/expression/function-table.ts'
import { checkRole } from '../../engine/role/check/check-role.ts'
import type { SeenExpression } from '../../engine/role/check/typed-texts.ts'
import { roleFunctions } from '../../engine/role/functions/functions.ts'
import { RoleTexts } from '../../engine/role/functions/role-texts.ts'
import type { KindSchemas } from '../../engine/role/kind-schemas.ts'
import { type TaskDraft, withNested } from '../../engine/role/parse/draft-tasks.ts'
import type { RoleDraft, RoleParser } from '../../engine/role/parse/parse-role.ts'
import type { RoleSources } from '../../engine/role/parse/role-sources.ts'

/** A role as it stands in files, with the entry of watches.yaml that uses it. */
export interface RoleParts {
  readonly name: string
  /** Of role.yaml. */
  readonly source: SourceFile
  readonly sources: RoleSources
  readonly watch: Gvk
  readonly vars: JsonObject
  readonly schemas: KindSchemas
  readonly parser: RoleParser
}

/** What the checks of the engine see in a role. */
export interface RoleAnalysis {
  readonly draft: RoleDraft
  /** In all files of the role. A file that is included twice is seen twice. */
  readonly seen: readonly SeenExpression[]
  readonly functions: FunctionTable
  /** role.yaml and the files of tasks that it includes, each with all tasks that stand in it. */
  readonly documents: readonly TaskDocument[]
}

export interface TaskDocument {
  readonly document: ParsedYaml
  readonly tasks: readonly TaskDraft[]
}

/** `undefined` when role.yaml cannot be read. `instead` stands in for the file with its path. */
export function analyseRole(parts: RoleParts, instead?: SourceFile): RoleAnalysis | undefined {
  const { source, watch, vars, schemas, parser } = parts
  const sources = instead ? replacing(parts.sources, instead) : parts.sources
  const { draft } = parser.parse(instead?.path === source.path ? instead : source, sources)
  if (!draft) return undefined
  const texts = new RoleTexts(draft.sources)
  const functions = roleFunctions(texts)
  const seen: SeenExpression[] = []
  checkRole(draft, { watch, vars, schemas, functions, texts, see: (one) => seen.push(one) })
  return { draft, seen, functions, documents: documentsOf(draft) }
}

function replacing(sources: RoleSources, instead: SourceFile): RoleSources {
  const read: RoleSources['read'] = (path) => {
    const found = sources.read(path)
    return found?.source?.path === instead.path ? { source: instead } : found
  }
  return { ...sources, read }
}

function documentsOf({ document, tasks, finalize = [] }: RoleDraft): readonly TaskDocument[] {
  const found = new Map<ParsedYaml, readonly TaskDraft[]>()
  const visit = (within: ParsedYaml, list: readonly TaskDraft[]): void => {
    if (found.has(within)) return
    const all = withNested(list)
    found.set(within, all)
    for (const { files } of all) for (const file of files.values()) visit(file.document, file.tasks)
  }
  visit(document, [...tasks, ...finalize])
  return [...found].map(([within, all]) => ({ document: within, tasks: all }))
}
