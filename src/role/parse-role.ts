import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../base/json.ts'
import { checkSchema, SchemaChecker } from '../yaml/check-schema.ts'
import { type Diagnostic, diagnosticAt } from '../yaml/diagnostic.ts'
import { parseYaml } from '../yaml/parse-yaml.ts'
import type { ParsedYaml } from '../yaml/parsed-yaml.ts'
import type { SourceFile } from '../yaml/source-file.ts'
import { MODIFIER_SCHEMAS } from './modifier-schemas.ts'
import { roleSchema } from './role-schema.ts'
import type { TaskKind } from './task-kind.ts'
import type { TaskRegistry } from './task-registry.ts'

/** A role whose shape is right, before anything in it is compiled. */
export interface RoleDraft {
  readonly document: ParsedYaml
  readonly vars: JsonObject
  readonly tasks: readonly TaskDraft[]
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

  /** No draft when there is an error. */
  parse(source: SourceFile): { readonly draft?: RoleDraft; readonly diagnostics: readonly Diagnostic[] } {
    const { documents, diagnostics } = parseYaml(source, { single: true })
    const [document] = documents
    if (!document) return { diagnostics }
    const shape = checkSchema(document, this.#checker)
    if (shape.length > 0) return { diagnostics: [...diagnostics, ...shape] }
    const draft = this.#draft(document)
    const misplaced = draft.tasks.flatMap((task) => misplacedModifiers(task, document))
    return misplaced.length > 0 ? { diagnostics: [...diagnostics, ...misplaced] } : { draft, diagnostics }
  }

  #draft(document: ParsedYaml): RoleDraft {
    const { vars, tasks } = document.value as JsonObject
    const list = isJsonArray(tasks) ? tasks : []
    const drafts = list.flatMap((task, index) => (isJsonObject(task) ? this.#draftTask(task, ['tasks', index]) : []))
    return { document, vars: isJsonObject(vars) ? vars : {}, tasks: drafts }
  }

  #draftTask(task: JsonObject, path: JsonPath): TaskDraft[] {
    const { kinds } = this.#registry
    const kind = kinds.find(({ name }) => task[name] !== undefined)
    if (!kind) return []
    const modifiers = Object.entries(task).filter(([key]) => Object.hasOwn(MODIFIER_SCHEMAS, key))
    return [{ path, kind, body: task[kind.name] ?? null, modifiers: Object.fromEntries(modifiers) }]
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
