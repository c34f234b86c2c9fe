import { getPath, isJsonObject, type JsonObject, type JsonPath } from '../../../core/base/json.ts'
import { type GroupKind, type Gvk, gvkOf } from '../../../core/kube/group-version-kind.ts'
import { propertySchema, type Schema } from '../../../core/schema/schema.ts'
import type { Problem } from '../../../core/yaml/diagnostic.ts'
import type { Type } from '../../expression/types/type.ts'
import type { KindSchemas } from '../kind-schemas.ts'
import type { TaskDraft } from '../parse/draft-tasks.ts'
import { checkCondition } from './check-condition.ts'
import type { CheckContext, TypedVariable } from './check-context.ts'
import { reportForeignSyntax } from './check-foreign-syntax.ts'
import { checkKind } from './check-kind.ts'
import { checkManifest, type ManifestCheck } from './check-manifest.ts'
import { type ResourceNames, warnOfSinks } from './check-sinks.ts'
import { warnOfUnusedGiven, warnOfUnusedNames } from './check-unused.ts'
import { escalationProblem } from './escalating-kinds.ts'
import { schemaType } from './schema-type.ts'
import type { TypeScope } from './type-scope.ts'
import type { TypedTexts } from './typed-texts.ts'

/** What the tasks of a role are checked with. */
export interface RoleCheck {
  readonly texts: TypedTexts
  readonly schemas: KindSchemas
  /** The schema of the watched kind, when it is known. */
  readonly resource: Schema | undefined
  /** Kinds that can raise rights and that the role may make all the same. */
  readonly acknowledge: readonly GroupKind[]
  /** Names that may hold what the author of the resource has chosen. */
  readonly resourceNames: ResourceNames
  /** What every file of the role sees. */
  readonly base: TypeScope
  /** Whether all tasks could be read, so that what nothing seems to use is certainly not used. */
  readonly sound: boolean
}

export interface TaskCheckOptions {
  readonly scope: TypeScope
  readonly check: RoleCheck
  /** Checks a list of tasks. */
  checkTasks(tasks: readonly TaskDraft[], scope: TypeScope, check: RoleCheck): void
}

/** The check of one task, as its kind sees it. */
export class TaskCheck implements CheckContext {
  readonly body: JsonObject
  readonly modifiers: JsonObject
  readonly gvk: Gvk | undefined
  /** Of the kind that the body names, when it is known. */
  readonly schema: Schema | undefined
  readonly #draft: TaskDraft
  readonly #options: TaskCheckOptions
  readonly #path: JsonPath

  constructor(draft: TaskDraft, options: TaskCheckOptions) {
    const body = isJsonObject(draft.body) ? draft.body : {}
    const { apiVersion, kind } = body
    this.body = body
    this.modifiers = draft.modifiers
    this.gvk = typeof apiVersion === 'string' && typeof kind === 'string' ? gvkOf({ apiVersion, kind }) : undefined
    this.schema = this.gvk && options.check.schemas.get(this.gvk)
    this.#draft = draft
    this.#options = options
    this.#path = [...draft.path, draft.kind.name]
  }

  get objectType(): Type {
    return schemaType(this.schema, 'status')
  }

  /** Fields of the body that hold tasks. */
  get lists(): Iterable<string> {
    return this.#draft.lists.keys()
  }

  value(path: JsonPath = []): Type {
    return this.#texts.value(getPath(this.#draft.body, path), { path: this.#placeOf(path), scope: this.#scope })
  }

  condition(path: JsonPath): void {
    const condition = getPath(this.#draft.body, path)
    checkCondition(condition, { path: this.#placeOf(path), scope: this.#scope }, this.#texts)
    this.#texts.guard(condition)
  }

  fields(schema: Schema, except: readonly string[] = []): void {
    for (const [name, value] of Object.entries(this.body)) {
      if (except.includes(name)) continue
      checkManifest(value, propertySchema(schema, name), this.#placeOf([name]), this.#manifestCheck({}))
    }
  }

  kindIsServed(): void {
    checkKind(this.gvk, this.#path, this.#options.check)
  }

  manifest({ complete }: { readonly complete: boolean }): void {
    // What the server keeps for itself is reported by the task.
    const { status, ...rest } = this.body
    const { schema } = this
    const { check } = this.#options
    this.kindIsServed()
    if (this.gvk) this.#checkEscalation(this.gvk, rest, ['kind'])
    checkManifest(rest, schema, this.#path, this.#manifestCheck({ complete, root: schema }))
    warnOfSinks(rest, this.#path, check)
    if (status === undefined) return
    const statusSchema = schema && propertySchema(schema, 'status')
    checkManifest(status, statusSchema, this.#placeOf(['status']), this.#manifestCheck({ root: schema }))
  }

  /** Looks for templates of other languages in all that the body says, but for the tasks in it. */
  foreignSyntax(): void {
    const { kind, body } = this.#draft
    if (!isJsonObject(body) || kind.foreignTemplates === 'everywhere') return
    const own = Object.entries(body).filter(([name]) => !kind.lists?.includes(name))
    const names = new Set(this.#scope.visible().keys())
    const isFree = kind.foreignTemplates === 'variables'
    reportForeignSyntax(Object.fromEntries(own), this.#path, { texts: this.#texts, names, isFree })
  }

  resourceField(name: string): void {
    const { resource } = this.#options.check
    const schema = resource && propertySchema(resource, name)
    checkManifest(this.#draft.body, schema, this.#path, this.#manifestCheck({ root: resource }))
  }

  mayMake(gvk: Gvk, path: JsonPath): void {
    this.#checkEscalation(gvk, {}, path)
  }

  define(name: string, type: Type): void {
    this.#scope.set(name, type)
  }

  tasks(field: string, variables?: { readonly [name: string]: Type }): void {
    const { scope, check, checkTasks } = this.#options
    const tasks = this.#draft.lists.get(field) ?? []
    checkTasks(tasks, variables === undefined ? scope : scope.nested(variables), check)
  }

  include(field: string, variables: readonly TypedVariable[]): void {
    const { check, checkTasks } = this.#options
    const file = this.#draft.files.get(field)
    if (file === undefined) return
    const texts = check.texts.within(file.document)
    const types = Object.fromEntries(variables.map(({ name, type }) => [name, type]))
    checkTasks(file.tasks, check.base.nested(types), { ...check, texts })
    if (!check.sound) return
    const given = variables.map(({ name, path }) => ({ name, path: this.#placeOf(path) }))
    warnOfUnusedGiven(given, check.texts, texts)
    warnOfUnusedNames(file.tasks, texts)
  }

  report(path: JsonPath, problem: Problem, at: 'key' | 'value' = 'value'): void {
    this.#texts.report(this.#placeOf(path), problem, at)
  }

  get #texts(): TypedTexts {
    return this.#options.check.texts
  }

  get #scope(): TypeScope {
    return this.#options.scope
  }

  #placeOf(path: JsonPath): JsonPath {
    return [...this.#path, ...path]
  }

  #manifestCheck({ complete = false, root }: { complete?: boolean; root?: Schema | undefined }): ManifestCheck {
    return { texts: this.#texts, scope: this.#scope, complete, root, base: this.#path }
  }

  #checkEscalation(gvk: Gvk, manifest: JsonObject, path: JsonPath): void {
    const problem = escalationProblem(gvk, manifest, this.#options.check.acknowledge)
    if (problem) this.report(path, problem)
  }
}
