import { isJsonObject, type JsonObject } from '../../../core/base/json.ts'
import { locateProblems, SchemaChecker } from '../../../core/yaml/check-schema.ts'
import type { Diagnostic } from '../../../core/yaml/diagnostic.ts'
import { parseYaml } from '../../../core/yaml/parse-yaml.ts'
import type { ParsedYaml } from '../../../core/yaml/parsed-yaml.ts'
import type { SourceFile } from '../../../core/yaml/source-file.ts'
import type { TaskOrder } from '../graph/task-graph-types.ts'
import type { TaskRegistry } from '../task-registry.ts'
import { draftTasks, type TaskDraft, withNested } from './draft-tasks.ts'
import { withForeignHints } from './foreign-keys.ts'
import { IncludedFiles } from './included-files.ts'
import { misplacedModifiers } from './misplaced-modifiers.ts'
import { roleSchema, taskFileSchema } from './role-schema.ts'
import { NO_SOURCES, type RoleSources, UsedSources } from './role-sources.ts'

/** A role before anything in it is compiled. */
export interface RoleDraft {
  readonly document: ParsedYaml
  readonly vars: JsonObject
  /** Of `tasks`. */
  readonly order: TaskOrder
  /** Those whose shape is right. */
  readonly tasks: readonly TaskDraft[]
  /** The same of what is run when the resource is deleted. Absent: the role has no such list. */
  readonly finalize?: readonly TaskDraft[] | undefined
  /** Whether nothing is wrong so far. Of a draft that is not, only further problems are of interest. */
  readonly sound: boolean
  readonly sources: UsedSources
}

/** Parses role files to drafts, and reports all mistakes in their shape. */
export class RoleParser {
  readonly #registry: TaskRegistry
  readonly #roles: SchemaChecker
  readonly #taskFiles: SchemaChecker

  constructor(registry: TaskRegistry) {
    this.#registry = registry
    this.#roles = new SchemaChecker(roleSchema(registry))
    this.#taskFiles = new SchemaChecker(taskFileSchema(registry))
  }

  /** A draft as far as there is one, so that everything else that is wrong can be found, too. */
  parse(
    source: SourceFile,
    files: RoleSources = NO_SOURCES,
  ): { readonly draft?: RoleDraft; readonly diagnostics: readonly Diagnostic[] } {
    const { documents, diagnostics } = parseYaml(source, { single: true })
    const [document] = documents
    if (!document) return { diagnostics }
    const problems = withForeignHints(this.#roles.check(document.value), document.value)
    const { vars, order, tasks: list, finalize: last } = isJsonObject(document.value) ? document.value : {}
    const sources = new UsedSources(files)
    const included = new IncludedFiles({ registry: this.#registry, checker: this.#taskFiles, sources })
    const place = included.placeIn(document, problems)
    const tasks = draftTasks(list, ['tasks'], place)
    const finalize = last === undefined ? undefined : draftTasks(last, ['finalize'], place)
    const all = withNested([...tasks, ...(finalize ?? [])])
    const misplaced = all.flatMap((task) => misplacedModifiers(task, document))
    const sound = problems.length === 0 && misplaced.length === 0 && included.diagnostics.length === 0
    const own = { vars: isJsonObject(vars) ? vars : {}, order: order === 'sequential' ? order : 'data' } as const
    const draft = { document, ...own, tasks, finalize, sound, sources }
    const located = [...locateProblems(document, problems), ...misplaced]
    return { draft, diagnostics: [...diagnostics, ...located, ...included.diagnostics] }
  }
}
