import { getPath, isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../base/json.ts'
import type { BranchObserver } from '../expression/branch-observer.ts'
import { checkExpression, type ExpressionProblem } from '../expression/check-expression.ts'
import { compileExpression, type Expression } from '../expression/compile-expression.ts'
import { compileTemplate, type Template } from '../expression/compile-template.ts'
import type { ExpressionError } from '../expression/expression-error.ts'
import { splitTemplate, type TemplatePart, wholeExpression } from '../expression/split-template.ts'
import { type Diagnostic, diagnosticAt, type Problem } from '../yaml/diagnostic.ts'
import type { ParsedYaml } from '../yaml/parsed-yaml.ts'
import { quotedExpression } from '../yaml/quoted-expression.ts'
import { ROLE_FUNCTIONS } from './functions.ts'
import type { TemplateRules } from './task-kind.ts'
import type { NamePlace } from './variable-names.ts'

/** The part of a document that a text stands in. */
interface TextPlace {
  readonly path: JsonPath
  readonly at: 'key' | 'value'
}

export interface TextRules {
  /** Names that `$` has at its top, when they are known. */
  readonly fields?: ReadonlySet<string> | undefined
  readonly branches?: BranchObserver | undefined
}

/** Compiles the expressions of one document, and collects what is wrong with them, each at its own place in the file. */
export class TextCompiler {
  readonly diagnostics: Diagnostic[]
  /** Everything compiled so far. */
  readonly expressions: Expression[]
  readonly #document: ParsedYaml
  readonly #rules: TextRules

  constructor(document: ParsedYaml, rules: TextRules, outer?: TextCompiler) {
    this.#document = document
    this.#rules = rules
    this.diagnostics = outer?.diagnostics ?? []
    this.expressions = outer?.expressions ?? []
  }

  /** A compiler of another document of the same role: what it finds and compiles comes to the rest. */
  within(document: ParsedYaml): TextCompiler {
    return new TextCompiler(document, this.#rules, this)
  }

  /** The value at a path of the document as a template. After a problem, one that renders nothing. */
  template(path: JsonPath, names: ReadonlySet<string>, rules: TemplateRules = {}): Template {
    const value = getPath(this.#document.value, path)
    const before = this.diagnostics.length
    this.#checkTexts(value, path, names)
    if (value === undefined || this.diagnostics.length > before) return NOTHING
    const { needsValue = () => false, base } = rules
    const template = compileTemplate(value, {
      functions: ROLE_FUNCTIONS,
      branches: this.#rules.branches,
      needsValue,
      base,
    })
    this.expressions.push(...template.expressions.map(({ expression }) => expression))
    return template
  }

  /** The text at a path, which must be exactly one `${ … }`, or true or false. `undefined` after a problem. */
  expression(path: JsonPath, names: ReadonlySet<string>): Expression | undefined {
    const value = getPath(this.#document.value, path)
    const before = this.diagnostics.length
    this.#checkTexts(value, path, names)
    if (this.diagnostics.length > before) return undefined
    const source = typeof value === 'string' ? wholeExpression(splitTemplate(value))?.source : String(value)
    if (source === undefined) {
      this.report(path, noExpression(value))
      return undefined
    }
    const expression = compileExpression(source, { functions: ROLE_FUNCTIONS, branches: this.#rules.branches })
    this.expressions.push(expression)
    return expression
  }

  report(path: JsonPath, problem: Problem, at: 'key' | 'value' = 'value'): void {
    this.diagnostics.push(diagnosticAt(this.#document.locate(path, at), problem))
  }

  placeOf(path: JsonPath, at: 'key' | 'value'): NamePlace {
    const { source, start } = this.#document.locate(path, at)
    return { file: source.path, line: source.position(start).line }
  }

  #checkTexts(value: JsonValue | undefined, path: JsonPath, names: ReadonlySet<string>): void {
    if (typeof value === 'string') this.#checkText(value, { path, at: 'value' }, names)
    else if (isJsonArray(value))
      for (const [index, item] of value.entries()) this.#checkTexts(item, [...path, index], names)
    else if (isJsonObject(value)) this.#checkEntries(value, path, names)
  }

  #checkEntries(object: JsonObject, path: JsonPath, names: ReadonlySet<string>): void {
    for (const [key, value] of Object.entries(object)) {
      this.#checkText(key, { path: [...path, key], at: 'key' }, names)
      this.#checkTexts(value, [...path, key], names)
    }
  }

  #checkText(text: string, place: TextPlace, names: ReadonlySet<string>): void {
    if (!text.includes('${')) return
    for (const part of this.#split(text, place)) {
      if (!('source' in part)) continue
      const options = { functions: ROLE_FUNCTIONS, variables: names, rootFields: this.#rules.fields ?? ANY_BUT_STATUS }
      for (const problem of checkExpression(part.source, options)) this.#reportExpression(problem, part, place)
    }
  }

  #split(text: string, place: TextPlace): readonly TemplatePart[] {
    try {
      return splitTemplate(text)
    } catch (error) {
      this.#reportUnclosed(error as ExpressionError, place)
      return []
    }
  }

  #reportExpression(
    problem: ExpressionProblem,
    part: { source: string; offset: number },
    { path, at }: TextPlace,
  ): void {
    const length = problem.length ?? 1
    const range = this.#document.locate(path, at, part.offset + problem.position, length)
    this.diagnostics.push(diagnosticAt(range, describe(problem, part.source)))
  }

  #reportUnclosed(error: ExpressionError, { path, at }: TextPlace): void {
    const range = this.#document.locate(path, at, Math.max(0, error.position), 2)
    const { line } = range.source.position(range.start)
    const quoted = quotedExpression(range.source.line(line) as string)
    const hint = quoted && `YAML ends unquoted text at \`: \` and \` #\`; in quotes it is ${quoted}`
    this.diagnostics.push(diagnosticAt(range, { code: 'RB1202', message: 'this `${` is never closed', hint }))
  }
}

/** The fields of a kind without schema: every name, and nothing to guess from. The own status is out of reach all the same. */
class AnyField extends Set<string> {
  override has(name: string): boolean {
    return name !== 'status'
  }
}

const ANY_BUT_STATUS: ReadonlySet<string> = new AnyField()

const NOTHING: Template = { expressions: [], literal: true, variables: new Set(), render: () => undefined }

function noExpression(value: JsonValue | undefined): Problem {
  const hint = typeof value === 'string' && !value.includes('${') ? 'put it between `${` and `}`' : undefined
  return { code: 'RB1210', message: 'exactly one `${ … }` and nothing else is needed here', hint }
}

const CODES: Readonly<Record<ExpressionProblem['code'], string>> = {
  syntax: 'RB1201',
  'unknown-function': 'RB1203',
  'unknown-variable': 'RB1204',
  'refused-function': 'RB1205',
  'refused-construct': 'RB1206',
  'unknown-path': 'RB1207',
  'too-large': 'RB1209',
}

function describe(problem: ExpressionProblem, source: string): Problem {
  const { code, message, hint, position, length = 0 } = problem
  const name = source.slice(position, position + length).replaceAll('`', '')
  if (code !== 'unknown-path' || name !== 'status') return { code: CODES[code], message, hint }
  return {
    code: 'RB1208',
    message: 'a role cannot read the status of its own resource',
    hint: 'depend on `spec` and on other objects; keep state in an object of the role',
  }
}
