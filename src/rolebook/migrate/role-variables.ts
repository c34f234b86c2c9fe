import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import type { SourceRange } from '../../core/yaml/diagnostic.ts'
import type { ParsedYaml } from '../../core/yaml/parsed-yaml.ts'
import { fieldText, operand } from './jsonata-text.ts'
import type { Report } from './report.ts'
import type { RoleNames } from './role-names.ts'
import { ANY_SHAPE, type Field, type Shape, shapeOfValue } from './shape.ts'
import { toExpression, translateValue } from './translate-value.ts'
import { placed, Undecided } from './undecided.ts'

/** A value that a role gives to a name: `defaults/main.yml` or `vars/main.yml`. */
export interface RoleVariable {
  readonly name: string
  readonly value: JsonValue
  readonly document: ParsedYaml
}

export interface VariablesOptions {
  readonly names: RoleNames
  readonly report: Report
  /** Of the entry in watches.yaml: they win over the spec, which wins over the role. */
  readonly given: JsonObject
}

interface VariableResult {
  readonly name: string
  /** In Ansible. */
  readonly what: string
  readonly place: SourceRange
  readonly message: string
  readonly notes: readonly string[]
}

/** `vars` of the new role, by the names that they have there. Only those that `names.used` asks for are of use. */
export class RoleVariables {
  readonly #names: RoleNames
  readonly #report: Report
  readonly #given: JsonObject
  readonly #texts = new Map<string, JsonValue>()
  readonly #results: VariableResult[] = []

  constructor({ names, report, given }: VariablesOptions) {
    this.#names = names
    this.#report = report
    this.#given = given
  }

  /** All names first: in Ansible a value may refer to one that is written below it. */
  define(variables: readonly RoleVariable[]): void {
    for (const [name, value] of Object.entries(this.#given)) {
      this.#names.define(name, { shape: shapeOfValue(value), optional: false, form: 'value' })
    }
    const own = variables.filter(({ name }) => !Object.hasOwn(this.#given, name))
    for (const { name, value } of own) {
      const shape = this.#shapeOf(name, value)
      this.#names.define(name, { shape, optional: value === null, form: 'value' })
    }
    for (const variable of own) this.#translate(variable)
    this.#names.forgetUses()
  }

  /** Those that are read, or that something read refers to, in an order in which each knows those that it needs. */
  inOrder(): JsonObject {
    const ordered: Record<string, JsonValue> = {}
    const add = (name: string): void => {
      const value = this.#texts.get(name)
      if (value === undefined || Object.hasOwn(ordered, name)) return
      for (const needed of namesIn(value)) if (needed !== name) add(needed)
      ordered[name] = value
    }
    for (const name of this.#texts.keys()) if (this.#names.used.has(name)) add(name)
    this.#reportResults(ordered)
    return ordered
  }

  #reportResults(ordered: JsonObject): void {
    for (const { name, what, place, message, notes } of this.#results) {
      if (!Object.hasOwn(ordered, name)) this.#report.add('note', place, what, 'left out: no task reads it')
      else if (notes.length > 0) this.#report.add('note', place, what, notes.join('; '))
      else this.#report.add('same', place, what, message)
    }
  }

  #shapeOf(name: string, value: JsonValue): Shape {
    const field = this.#field(name)
    if (field?.shape.type !== 'unknown') return field?.shape ?? shapeOfValue(value)
    const { type } = shapeOfValue(value)
    return { type, field: (one) => field.shape.field(one), item: () => field.shape.item() }
  }

  #field(name: string): Field | undefined {
    try {
      return this.#names.resource.spec.field(name)
    } catch {
      return undefined
    }
  }

  #translate({ name, value, document }: RoleVariable): void {
    const place = document.locate([name])
    const field = this.#field(name)
    const ours = this.#names.variable(name)?.name ?? name
    const path = field && fieldText('spec', field.key)
    try {
      const text = this.#textOf({ name, value, path, shape: field?.shape ?? ANY_SHAPE })
      this.#texts.set(ours, text)
      const notes = this.#names.takeNotes()
      const message = path === undefined ? 'a value of the role' : `\`${path}\`, else this value`
      this.#results.push({ name: ours, what: name, place, message, notes })
    } catch (error) {
      if (!(error instanceof Undecided)) throw error
      this.#report.decide(place, name, error)
      if (path !== undefined) this.#texts.set(ours, `\${${path}}`)
    }
  }

  #textOf({
    name,
    value,
    path,
    shape,
  }: {
    name: string
    value: JsonValue
    path: string | undefined
    shape: Shape
  }): JsonValue {
    const names = this.#names
    if (path === undefined) return translateValue(value, { names, path: [name] })
    if (value === null) return `\${${path}}`
    const given = placed({ path: [name] }, () => toExpression(respelled(value, shape, names), names))
    return `\${${path} ?? ${operand(given)}}`
  }
}

/** Keys within a default as the resource has them, since templates read both alike. */
function respelled(value: JsonValue, shape: Shape, names: RoleNames): JsonValue {
  if (isJsonArray(value)) return value.map((item) => respelled(item, shape.item(), names))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const { key, shape: inside } = shape.field(name)
      if (key !== name) names.note(`\`${name}\` is written \`${key}\`, as in the resource`)
      return [key, respelled(inner as JsonValue, inside, names)]
    }),
  )
}

function namesIn(value: JsonValue): readonly string[] {
  return [...JSON.stringify(value).matchAll(/\$([A-Za-z_]\w*)/g)].map(([, name]) => name as string)
}
