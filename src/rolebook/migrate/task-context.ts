import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import type { Gvk } from '../../core/kube/group-version-kind.ts'
import type { ParsedYaml } from '../../core/yaml/parsed-yaml.ts'
import type { SourceFile } from '../../core/yaml/source-file.ts'
import { toCondition } from './jinja/to-jsonata.ts'
import type { Jsonata } from './jsonata-text.ts'
import type { NewTask } from './new-task.ts'
import type { Report } from './report.ts'
import type { RoleNames } from './role-names.ts'
import { translateValue } from './translate-value.ts'
import { placed, Undecided } from './undecided.ts'

/** What the tasks of a role share while they are translated. */
export interface RoleContext {
  readonly watch: Gvk
  readonly report: Report
  /** Whether objects that are there already are taken over. */
  readonly adopt: boolean
  /** A file of the role, such as `templates/service.yaml.j2`. */
  readFile(path: string): SourceFile | undefined
  /** Tasks of another file of the role. @throws Undecided */
  includeTasks(path: string, context: TaskContext): readonly NewTask[]
  /** Objects that a task of the role makes under a condition, as `apiVersion kind namespace/name`. */
  readonly conditional: Set<string>
}

/** What a module of Ansible sees of the task that it is in. */
export interface TaskContext {
  readonly role: RoleContext
  readonly document: ParsedYaml
  /** Of the task. */
  readonly path: JsonPath
  readonly names: RoleNames
  /** Whether a condition around it may skip it. */
  readonly guarded: boolean
  /** Whether it runs once for each item of a list. */
  readonly looped: boolean
  /** Files that led here: one that includes itself has no translation. */
  readonly files: readonly string[]
}

/** Parameters of a module. */
export class Parameters {
  readonly module: string
  readonly #args: JsonObject
  readonly #path: JsonPath
  readonly #context: TaskContext
  readonly #read = new Set<string>()

  constructor(module: string, args: JsonObject, context: TaskContext) {
    this.module = module
    this.#args = args
    this.#path = [...context.path, module]
    this.#context = context
  }

  /** The first of some names of one parameter that is given, as it is written. */
  raw(...names: readonly string[]): JsonValue | undefined {
    const given = this.#given(names)
    return given === undefined ? undefined : this.#args[given]
  }

  #given(names: readonly string[]): string | undefined {
    for (const name of names) this.#read.add(name)
    return names.find((name) => this.#args[name] !== undefined && this.#args[name] !== null)
  }

  /** The same, translated. @throws Undecided */
  value(...names: readonly string[]): JsonValue | undefined {
    const given = this.#given(names)
    if (given === undefined) return undefined
    return translateValue(this.#args[given] as JsonValue, { names: this.#context.names, path: [...this.#path, given] })
  }

  /** One that may not hold a template. @throws Undecided */
  literal(name: string, ...others: readonly string[]): string | undefined {
    const value = this.raw(name, ...others)
    if (value === undefined) return undefined
    if (typeof value === 'string' && !value.includes('{{')) return value
    throw new Undecided('RB1704', `\`${name}\` must be known without running the role`, {
      place: this.place(name),
    })
  }

  /** Whether a flag is on. @throws Undecided when a template says so */
  flag(name: string): boolean {
    const value = this.raw(name)
    if (value === undefined || typeof value === 'boolean') return value === true
    throw new Undecided('RB1704', `\`${name}\` must be true or false`, { place: this.place(name) })
  }

  /** Names that are of no use here. */
  ignore(...names: readonly string[]): void {
    for (const name of names) this.#read.add(name)
  }

  place(name: string) {
    return { path: [...this.#path, name], at: 'key' as const }
  }

  /** @throws Undecided for a parameter that nothing has asked for */
  end(): void {
    const rest = Object.keys(this.#args).find((name) => !this.#read.has(name))
    if (rest === undefined) return
    throw new Undecided('RB1704', `the parameter \`${rest}\` has no counterpart`, { place: this.place(rest) })
  }
}

/** A condition as Ansible has them, `when` or `that`: one expression without braces, a list that must hold as a whole, or a boolean. */
export function translateCondition(value: JsonValue, names: RoleNames, path: JsonPath): readonly Jsonata[] {
  if (isJsonArray(value)) return value.flatMap((one, index) => translateCondition(one, names, [...path, index]))
  if (typeof value === 'boolean') return [placed({ path }, () => toCondition(String(value), names))]
  if (typeof value !== 'string') throw new Undecided('RB1705', 'a condition is text', { place: { path } })
  const [, before = '', inner = value] = /^(\s*\{\{)(.*)\}\}\s*$/s.exec(value) ?? []
  return [placed({ path, offset: before.length }, () => toCondition(inner, names))]
}

/** All of some conditions as one. */
export function allOf(conditions: readonly Jsonata[]): string {
  const [first, ...rest] = conditions
  if (first && rest.length === 0) return first.text
  return conditions.map(({ text, binds }) => (binds === 'loose' || binds === 'or' ? `(${text})` : text)).join(' and ')
}

export function asMap(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined
}
