import { isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { type Diagnostic, diagnosticAt, type Problem, type SourceRange } from '../../../core/yaml/diagnostic.ts'
import type { ParsedYaml } from '../../../core/yaml/parsed-yaml.ts'
import type { SourceFile } from '../../../core/yaml/source-file.ts'
import { checkExpression, type ExpressionProblem } from '../../expression/check-expression.ts'
import { ExpressionError } from '../../expression/expression-error.ts'
import type { FunctionTable } from '../../expression/function-table.ts'
import { type InferOptions, inferType } from '../../expression/infer-type.ts'
import { shellVariable } from '../../expression/shell-variable.ts'
import { splitTemplate, type TemplatePart, wholeExpression } from '../../expression/split-template.ts'
import { textCallsOf } from '../../expression/text-calls.ts'
import type { Complaint } from '../../expression/types/inference.ts'
import {
  ANY,
  BOOLEAN,
  canBe,
  definite,
  listOf,
  NOTHING,
  NUMBER,
  type ObjectType,
  record,
  SOME_OBJECT,
  TEXT,
  type Type,
  union,
} from '../../expression/types/type.ts'
import type { RoleTexts } from '../functions/role-texts.ts'
import type { TypeScope } from './type-scope.ts'

/** The code of syntax of another language. */
export const FOREIGN_SYNTAX = 'RB1211'

/** A place of the document whose value is typed, and what it sees. */
export interface TextPlace {
  readonly path: JsonPath
  readonly scope: TypeScope
  /** Where the text stands when it is not the value at the path. */
  readonly at?: 'key' | 'value' | undefined
  /** The file that the text is filled in from, instead of standing in the document. */
  readonly source?: SourceFile | undefined
}

/** What the expressions of all documents of a role may use. */
export interface TypeRules {
  /** Of `$`. */
  readonly input: Type
  readonly functions: FunctionTable
  readonly texts: RoleTexts
  /** Is given every expression, also one that cannot be parsed. Defaults to nothing. */
  readonly see?: ((expression: SeenExpression) => void) | undefined
}

/** An expression where it stands, and what it sees there. */
export interface SeenExpression {
  readonly source: string
  readonly variables: ReadonlyMap<string, Type>
  /** Of `$`. */
  readonly input: Type
  readonly file: SourceFile
  /** The stretch of the file from an offset in the expression on. */
  locate(position: number, length: number): SourceRange
}

/** An object as it is written in a document. */
export interface WrittenObject {
  readonly texts: TypedTexts
  readonly path: JsonPath
  readonly scope: TypeScope
  /** Fields that have been reported: the object may be used in many places. */
  readonly misfits: Set<string>
}

/** Types the expressions of one document, and collects what is wrong with them, each at its own place in the file. */
export class TypedTexts {
  readonly diagnostics: Diagnostic[]
  readonly document: ParsedYaml
  /** Names of variables that are read somewhere in the document. */
  readonly used = new Set<string>()
  /** Whether everything could be looked at, so that what is not in `used` is certainly not used. */
  complete = true
  /** The same for all documents of the role. */
  readonly all: { readonly used: Set<string>; complete: boolean }
  /** Where the objects stand that are written in the documents of the role. */
  readonly #written: WeakMap<ObjectType, WrittenObject>
  readonly #rules: TypeRules
  /** Paths that tasks have asked about: they are there. */
  readonly #guards: Set<string>
  /** Files that have been filled in at the place that is being typed. */
  readonly #filled = new Set<string>()

  constructor(document: ParsedYaml, rules: TypeRules, outer?: TypedTexts) {
    this.document = document
    this.#rules = rules
    this.diagnostics = outer?.diagnostics ?? []
    this.all = outer?.all ?? { used: new Set(), complete: true }
    this.#written = outer === undefined ? new WeakMap() : outer.#written
    this.#guards = new Set(outer === undefined ? [] : outer.#guards)
  }

  /** The texts of another document of the same role, which runs where this one has got to. */
  within(document: ParsedYaml): TypedTexts {
    return new TypedTexts(document, this.#rules, this)
  }

  /** From now on the paths in a condition are known to be looked after. */
  guard(condition: JsonValue | undefined): void {
    if (typeof condition === 'string') for (const [path] of condition.matchAll(PATH)) this.#guards.add(path)
  }

  /** The type of a text: what its only expression yields, or text when there is more than that. */
  text(text: string, place: TextPlace): Type {
    if (!text.includes('${')) return TEXT
    const parts = partsOf(text)
    const whole = wholeExpression(parts)
    if (whole !== undefined) return this.#expression(whole, place)
    for (const part of parts) if ('source' in part) this.#within(part, place)
    return TEXT
  }

  /** The type of any value with expressions in it. */
  value(value: JsonValue | undefined, place: TextPlace): Type {
    if (typeof value === 'string') return this.text(value, place)
    if (typeof value === 'number') return NUMBER
    if (typeof value === 'boolean') return BOOLEAN
    if (isJsonArray(value)) return this.#list(value, place)
    if (!isJsonObject(value)) return NOTHING
    return this.#object(value, place)
  }

  report(path: JsonPath, problem: Problem, at: 'key' | 'value' = 'value'): void {
    this.diagnostics.push(diagnosticAt(this.document.locate(path, at), problem))
  }

  /** Reports a problem with a stretch of the text at a place. */
  reportStretch({ path, at }: Pick<TextPlace, 'path' | 'at'>, offset: number, length: number, problem: Problem): void {
    this.diagnostics.push(diagnosticAt(this.document.locate(path, at, offset, length), problem))
  }

  /** The value at a path as it stands in the file. */
  written(path: JsonPath): string {
    const { source, start, end } = this.document.locate(path)
    return source.text.slice(start, end)
  }

  /** Reports a problem with all that a text says at a place: its only expression where it has one. */
  reportText(text: string, { path, at }: TextPlace, problem: Problem): void {
    const whole = text.includes('${') ? wholeExpression(partsOf(text)) : undefined
    if (whole === undefined) {
      this.report(path, problem, at)
      return
    }
    const lead = whole.source.length - whole.source.trimStart().length
    const length = Math.max(1, whole.source.trim().length)
    const range = this.document.locate(path, at, whole.offset + lead, length)
    this.diagnostics.push(diagnosticAt(range, problem))
  }

  /** `undefined`: the object was made by an expression, or read from the server. */
  writtenObject(object: ObjectType): WrittenObject | undefined {
    return this.#written.get(object)
  }

  #list(items: readonly JsonValue[], { path, scope }: TextPlace): Type {
    const types = items.map((item, index) => this.value(item, { path: [...path, index], scope }))
    return listOf(union(types.map(definite)))
  }

  #object(object: { readonly [key: string]: JsonValue | undefined }, { path, scope }: TextPlace): Type {
    const entries = Object.entries(object)
    const fields = entries.map(([key, value]) => {
      this.text(key, { path: [...path, key], scope, at: 'key' })
      return [key, this.value(value, { path: [...path, key], scope })] as const
    })
    const isOpen = entries.length === 0 || entries.some(([key]) => key.includes('${'))
    if (isOpen) return SOME_OBJECT
    const type = record(Object.fromEntries(fields))
    for (const shape of type.shapes ?? [])
      if (shape.kind === 'object') this.#written.set(shape.object, { texts: this, path, scope, misfits: new Set() })
    return type
  }

  /** An expression with text around it has to be printed. */
  #within(part: Part, place: TextPlace): void {
    const type = this.#expression(part, place)
    if (type.shapes?.length === 0 || canBe(type, 'text', 'number', 'boolean')) return
    const message = 'a list or an object cannot stand within text'
    const hint = 'join it with `$join(…)`, or print it with `$toJson(…)`'
    this.#reportPart(part, place, {
      position: 0,
      length: part.source.length,
      problem: { code: 'RB1221', message, hint },
    })
  }

  #expression(part: Part, place: TextPlace): Type {
    const variables = place.scope.visible()
    // What cannot be compiled has been reported.
    const { functions, input, see } = this.#rules
    const file = place.source ?? this.document.source
    see?.({ source: part.source, variables, input, file, locate: (...at) => this.#locate(part, place, at) })
    const typeOf = (source: string): Type | undefined => typeIn(source, { functions, input, variables })
    const problems = checkExpression(part.source, { functions, variables: new Set(variables.keys()), typeOf })
    const isShell = problems.length > 0 && shellVariable(`\${${part.source}}`) !== undefined
    for (const problem of problems)
      if (problem.code === 'foreign-syntax' && !isShell) this.#reportSlip(problem, part, place)
    if (problems.some(({ code }) => code !== 'unknown-variable')) return this.#unread()
    const inferred = inferType(part.source, { functions, input, variables })
    for (const name of inferred.names) this.used.add(name)
    for (const name of inferred.names) this.all.used.add(name)
    for (const complaint of inferred.complaints) this.#complain(complaint, part, place)
    for (const { name, text } of textCallsOf(part.source, functions)) if (name === 'template') this.#fill(text, place)
    return inferred.type
  }

  /** Types a text that is filled in at a place. One that cannot be used, or goes round in circles, has been reported. */
  #fill(path: string, { path: at, scope }: TextPlace): void {
    const { source } = this.#rules.texts.find(path)
    const isFirst = this.#filled.size === 0
    if (source === undefined || this.#filled.has(path)) return
    this.#filled.add(path)
    for (const part of partsOf(source.text)) if ('source' in part) this.#within(part, { path: at, scope, source })
    if (isFirst) this.#filled.clear()
  }

  #unread(): Type {
    this.complete = false
    this.all.complete = false
    return ANY
  }

  /** Compiling reports it as well, without types: what is said of one place first is kept. */
  #reportSlip({ message, hint, position, length = 1 }: ExpressionProblem, part: Part, place: TextPlace): void {
    this.#reportPart(part, place, { position, length, problem: { code: FOREIGN_SYNTAX, message, hint } })
  }

  #complain(complaint: Complaint, part: Part, place: TextPlace): void {
    const { code, severity, message, hint, path, position, length } = complaint
    if (path !== undefined && this.#guards.has(path)) return
    this.#reportPart(part, place, { position, length, problem: { code: CODES[code], severity, message, hint } })
  }

  #reportPart(
    part: Part,
    place: TextPlace,
    { position, length, problem }: { position: number; length: number; problem: Problem },
  ): void {
    this.diagnostics.push(diagnosticAt(this.#locate(part, place, [position, length]), problem))
  }

  #locate(
    { offset }: Part,
    { path, at, source }: TextPlace,
    [position, length]: readonly [number, number],
  ): SourceRange {
    const start = offset + position
    return source ? { source, start, end: start + length } : this.document.locate(path, at, start, length)
  }
}

interface Part {
  readonly source: string
  readonly offset: number
}

/** A text whose `${` is never closed has been reported. */
function partsOf(text: string): readonly TemplatePart[] {
  try {
    return splitTemplate(text)
  } catch {
    return []
  }
}

/** Paths as they are written, roughly. */
const PATH = /[$\w`][\w`$-]*(?:\.[\w`$-]+)*/g

const CODES: Readonly<Record<Complaint['code'], string>> = {
  'unknown-path': 'RB1220',
  comparison: 'RB1223',
  operand: 'RB1224',
  argument: 'RB1225',
  'missing-operand': 'RB1226',
  'false-default': 'RB1227',
  subtraction: 'RB1228',
}

/** `undefined`: it cannot be read. */
function typeIn(source: string, options: InferOptions): Type | undefined {
  try {
    return inferType(source, options).type
  } catch (error) {
    if (error instanceof ExpressionError) return undefined
    throw error
  }
}
