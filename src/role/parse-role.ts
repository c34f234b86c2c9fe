import { getPath, isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../base/json.ts'
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
  /** The tasks within it, by the field of the body that holds them. */
  readonly lists: ReadonlyMap<string, readonly TaskDraft[]>
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
    const { vars, tasks: list } = isJsonObject(document.value) ? document.value : {}
    const tasks = this.#draftTasks(list, ['tasks'], problems)
    const misplaced = withNested(tasks).flatMap((task) => misplacedModifiers(task, document))
    const sound = problems.length === 0 && misplaced.length === 0
    const draft = { document, vars: isJsonObject(vars) ? vars : {}, tasks, sound }
    return { draft, diagnostics: [...diagnostics, ...locateProblems(document, problems), ...misplaced] }
  }

  /** Tasks whose body is right, with those of their modifiers that are. `path` is where the list stands. */
  #draftTasks(list: JsonValue | undefined, path: JsonPath, problems: readonly SchemaProblem[]): readonly TaskDraft[] {
    return (isJsonArray(list) ? list : []).flatMap((task, index) => {
      if (!isJsonObject(task)) return []
      const place = [...path, index]
      return this.#draftTask(
        task,
        place,
        problems.filter((problem) => startsWith(problem.path, place)),
      )
    })
  }

  #draftTask(task: JsonObject, path: JsonPath, problems: readonly SchemaProblem[]): readonly TaskDraft[] {
    const kind = this.#registry.kinds.find(({ name }) => task[name] !== undefined)
    if (!kind) return []
    const lists = (kind.lists ?? []).map((field) => [...path, kind.name, field])
    // A task within it that is wrong takes nothing away from the others.
    const own = problems.filter((problem) => !lists.some((list) => isWithin(problem.path, list)))
    // Keys that something is wrong with; `undefined` is the task as a whole.
    const broken = new Set(own.map((problem) => problem.path[path.length]))
    if (broken.has(kind.name) || broken.has(undefined)) return []
    const modifiers = Object.entries(task).filter(([key]) => Object.hasOwn(MODIFIER_SCHEMAS, key) && !broken.has(key))
    const body = task[kind.name] as JsonValue
    const nested = lists.map(
      (place) => [String(place.at(-1)), this.#draftTasks(getPath(body, place.slice(-1)), place, problems)] as const,
    )
    return [{ path, kind, body, modifiers: Object.fromEntries(modifiers), lists: new Map(nested) }]
  }
}

function startsWith(path: JsonPath, start: JsonPath): boolean {
  return start.every((step, index) => path[index] === step)
}

function isWithin(path: JsonPath, list: JsonPath): boolean {
  return path.length > list.length && startsWith(path, list)
}

function withNested(tasks: readonly TaskDraft[]): readonly TaskDraft[] {
  return tasks.flatMap((task) => [task, ...withNested([...task.lists.values()].flat())])
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
