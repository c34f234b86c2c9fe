import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../base/json.ts'
import { locateProblems, SchemaChecker, type SchemaProblem } from '../yaml/check-schema.ts'
import { type Diagnostic, diagnosticAt } from '../yaml/diagnostic.ts'
import { parseYaml } from '../yaml/parse-yaml.ts'
import type { ParsedYaml } from '../yaml/parsed-yaml.ts'
import type { SourceFile } from '../yaml/source-file.ts'
import { MODIFIER_SCHEMAS } from './modifier-schemas.ts'
import { roleSchema } from './role-schema.ts'
import type { TaskKind } from './task-kind.ts'
import type { TaskRegistry } from './task-registry.ts'

/** A role before anything in it is compiled. */
export interface RoleDraft {
  readonly document: ParsedYaml
  readonly vars: JsonObject
  /** Those whose shape is right. */
  readonly tasks: readonly TaskDraft[]
  /** Whether nothing is wrong so far. Of a draft that is not, only further problems are of interest. */
  readonly sound: boolean
}

export interface TaskDraft {
  readonly path: JsonPath
  readonly kind: TaskKind
  readonly body: JsonValue
  /** As written. */
  readonly modifiers: JsonObject
}

/** Role files to drafts, with everything reported that their shape can tell. */
export class RoleParser {
  readonly #registry: TaskRegistry
  readonly #checker: SchemaChecker

  constructor(registry: TaskRegistry) {
    this.#registry = registry
    this.#checker = new SchemaChecker(roleSchema(registry))
  }

  /** A draft as far as there is one, so that everything else that is wrong can be found, too. */
  parse(source: SourceFile): { readonly draft?: RoleDraft; readonly diagnostics: readonly Diagnostic[] } {
    const { documents, diagnostics } = parseYaml(source, { single: true })
    const [document] = documents
    if (!document) return { diagnostics }
    const problems = this.#checker.check(document.value)
    const tasks = this.#draftTasks(document, problems)
    const misplaced = tasks.flatMap((task) => misplacedModifiers(task, document))
    const sound = problems.length === 0 && misplaced.length === 0
    const { vars } = isJsonObject(document.value) ? document.value : {}
    const draft = { document, vars: isJsonObject(vars) ? vars : {}, tasks, sound }
    return { draft, diagnostics: [...diagnostics, ...locateProblems(document, problems), ...misplaced] }
  }

  /** Tasks whose body is right, with those of their modifiers that are. */
  #draftTasks({ value }: ParsedYaml, problems: readonly SchemaProblem[]): readonly TaskDraft[] {
    const { tasks } = isJsonObject(value) ? value : {}
    return (isJsonArray(tasks) ? tasks : []).flatMap((task, index) => {
      const about = problems.filter(({ path }) => path[0] === 'tasks' && path[1] === index)
      return isJsonObject(task) ? this.#draftTask(task, index, new Set(about.map(({ path }) => path[2]))) : []
    })
  }

  /** `broken`: keys that something is wrong with; `undefined` is the task as a whole. */
  #draftTask(task: JsonObject, index: number, broken: ReadonlySet<unknown>): readonly TaskDraft[] {
    const kind = this.#registry.kinds.find(({ name }) => task[name] !== undefined)
    if (!kind || broken.has(kind.name) || broken.has(undefined)) return []
    const modifiers = Object.entries(task).filter(([key]) => Object.hasOwn(MODIFIER_SCHEMAS, key) && !broken.has(key))
    const body = task[kind.name] as JsonValue
    return [{ path: ['tasks', index], kind, body, modifiers: Object.fromEntries(modifiers) }]
  }
}

const ALWAYS: readonly string[] = ['name', 'when']

function misplacedModifiers({ kind, modifiers, path }: TaskDraft, document: ParsedYaml): readonly Diagnostic[] {
  const given = Object.keys(modifiers)
  const taken: readonly string[] = [
    ...ALWAYS,
    ...kind.modifiers,
    ...(kind.modifiers.includes('loop') ? ['loopVar'] : []),
  ]
  const found = given
    .filter((name) => !taken.includes(name))
    .map((name) => {
      const hint = `\`${kind.name}\` takes ${taken.join(', ')}`
      const problem = { code: 'RB1101', message: `\`${name}\` has no meaning beside \`${kind.name}\``, hint }
      return diagnosticAt(document.locate([...path, name], 'key'), problem)
    })
  if (found.length > 0 || !given.includes('loopVar') || given.includes('loop')) return found
  const problem = { code: 'RB1102', message: '`loopVar` names the items of a `loop`, and there is none' }
  return [diagnosticAt(document.locate([...path, 'loopVar'], 'key'), problem)]
}
