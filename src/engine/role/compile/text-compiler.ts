import { getPath, isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { type Diagnostic, diagnosticAt, type Problem } from '../../../core/yaml/diagnostic.ts'
import type { ParsedYaml } from '../../../core/yaml/parsed-yaml.ts'
import { meantByTemplate } from '../../../core/yaml/template-of-others.ts'
import type { BranchObserver } from '../../expression/branch-observer.ts'
import { compileExpression, type Expression } from '../../expression/compile-expression.ts'
import { compileTemplate } from '../../expression/compile-template.ts'
import { FROM_CLUSTER, FROM_ROLE } from '../../expression/flow/flow.ts'
import type { FunctionTable } from '../../expression/function-table.ts'
import { splitTemplate, wholeExpression } from '../../expression/split-template.ts'
import type { RoleTexts } from '../functions/role-texts.ts'
import type { TaskPlaces, WrittenTask } from '../parse/task-places.ts'
import type { Task } from '../role.ts'
import { leakProblems } from '../secrecy/leak-problems.ts'
import { type TrackedTemplate, trackedExpression, trackedTemplate } from '../secrecy/tracked-template.ts'
import { type FlowSource, type ValueFlow, type ValueFlowOptions, valueFlow } from '../secrecy/value-flow.ts'
import type { TemplateRules } from '../task-kind.ts'
import { roleFile, type WrittenLines, type WrittenPlace, writtenLines } from '../written-place.ts'
import { TextChecker } from './text-checker.ts'
import type { NamePlace } from './variable-names.ts'

export interface TextRules {
  /** The name of the role. */
  readonly name: string
  readonly texts: RoleTexts
  readonly functions: FunctionTable
  /** Names that `$` has at its top, when they are known. */
  readonly fields?: ReadonlySet<string> | undefined
  readonly branches?: BranchObserver | undefined
  /** Learns where each task is written. */
  readonly places?: TaskPlaces | undefined
}

export interface FlowRules extends Omit<ValueFlowOptions, 'functions'>, Pick<TemplateRules, 'audience'> {}

/** What a modifier that holds expressions is compiled with. */
export interface ModifierSurroundings extends Pick<FlowRules, 'flows' | 'sensitive'> {
  readonly texts: TextCompiler
  readonly names: ReadonlySet<string>
}

/** Where a document stands that is not the first of its role. */
interface WithinRole {
  readonly outer?: TextCompiler | undefined
  /** Below the folder of the role. Defaults to the file of the role itself. */
  readonly path?: string | undefined
}

/** Compiles the expressions of one document, and collects what is wrong with them, each at its own place in the file. */
export class TextCompiler {
  readonly diagnostics: Diagnostic[]
  /** Everything compiled so far. */
  readonly expressions: Expression[]
  readonly #document: ParsedYaml
  readonly #rules: TextRules
  readonly #file: string

  constructor(document: ParsedYaml, rules: TextRules, { outer, path }: WithinRole = {}) {
    this.#document = document
    this.#rules = rules
    this.#file = roleFile(rules.name, path)
    this.diagnostics = outer?.diagnostics ?? []
    this.expressions = outer?.expressions ?? []
  }

  /** A compiler of the document at another path of the same role: what it finds and compiles comes to the rest. */
  within(document: ParsedYaml, path: string): TextCompiler {
    return new TextCompiler(document, this.#rules, { outer: this, path })
  }

  /** The value at a path of the document as a template. After a problem, one that renders nothing. */
  template(path: JsonPath, names: ReadonlySet<string>, rules: TemplateRules & FlowRules): TrackedTemplate {
    const value = getPath(this.#document.value, path)
    const before = this.diagnostics.length
    this.#checkTexts(value, path, names)
    if (value === undefined || this.diagnostics.length > before) return NOTHING
    const { needsValue = () => false, base, audience } = rules
    const { functions, branches } = this.#rules
    const reading = this.#follow(value, path, rules)
    const isShown = audience === 'people' && reading.leaks.length > 0
    const shown = isShown ? reading.shown : value
    const template = compileTemplate(shown ?? value, { functions, branches, needsValue, base })
    this.expressions.push(...template.expressions.map(({ expression }) => expression))
    return trackedTemplate(template, isShown ? { ...reading, flow: FROM_CLUSTER, leaks: [] } : reading)
  }

  /** The text at a path, which must be exactly one `${ … }`, or true or false. `undefined` after a problem. */
  expression(path: JsonPath, names: ReadonlySet<string>, flows: FlowSource): Expression | undefined {
    const value = getPath(this.#document.value, path)
    const before = this.diagnostics.length
    this.#checkTexts(value, path, names)
    if (this.diagnostics.length > before) return undefined
    const source = typeof value === 'string' ? wholeExpression(splitTemplate(value))?.source : String(value)
    if (source === undefined) {
      this.report(path, noExpression(value))
      return undefined
    }
    const expression = compileExpression(source, this.#rules)
    this.expressions.push(expression)
    return trackedExpression(expression, this.#follow(value, path, { flows }))
  }

  report(path: JsonPath, problem: Problem, at: 'key' | 'value' = 'value'): void {
    this.diagnostics.push(diagnosticAt(this.#document.locate(path, at), problem))
  }

  /** Notes that the document has the task. */
  recordPlace(task: Task, draft: WrittenTask['draft']): void {
    this.#rules.places?.record(task, { document: this.#document, draft })
  }

  /** At which lines the document has a task. */
  linesOf(draft: WrittenTask['draft']): WrittenLines {
    return writtenLines(draft, (path) => this.writtenAt(path))
  }

  /** Where messages of runs say that the value at a path is written. */
  writtenAt(path: JsonPath): WrittenPlace {
    const { line } = this.placeOf(path, typeof path.at(-1) === 'string' ? 'key' : 'value')
    return { file: this.#file, line }
  }

  placeOf(path: JsonPath, at: 'key' | 'value'): NamePlace {
    const { source, start } = this.#document.locate(path, at)
    return { file: source.path, line: source.position(start).line }
  }

  /** What flows through the expressions of a value, and what is wrong with that. */
  #follow(value: JsonValue | undefined, path: JsonPath, rules: FlowRules): ValueFlow {
    const reading = valueFlow(value, path, { ...rules, functions: this.#rules.functions })
    for (const { leak, problem } of leakProblems(reading, { ...rules, file: this.#document.source.path })) {
      const { at, offset, length } = leak
      this.diagnostics.push(diagnosticAt(this.#document.locate(leak.path, at, offset, length), problem))
    }
    return reading
  }

  #checkTexts(value: JsonValue | undefined, path: JsonPath, names: ReadonlySet<string>): void {
    const { functions, texts, fields = ANY_BUT_STATUS } = this.#rules
    const checker = new TextChecker({ functions, texts, names, fields })
    for (const { text, path: place, at } of textsIn(value, path)) {
      const document = this.#document
      checker.check(text, (offset, length) => document.locate(place, at, offset, length))
    }
    this.diagnostics.push(...checker.diagnostics)
  }
}

interface PlacedText {
  readonly text: string
  readonly path: JsonPath
  readonly at: 'key' | 'value'
}

/** All texts of a value that stands at a path, keys included. */
function textsIn(value: JsonValue | undefined, path: JsonPath): readonly PlacedText[] {
  if (typeof value === 'string') return [{ text: value, path, at: 'value' }]
  if (isJsonArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    { text: key, path: [...path, key], at: 'key' as const },
    ...textsIn(inner, [...path, key]),
  ])
}

/** The fields of a kind without a schema: any name but `status`, which no role sees, and none to suggest. */
class AnyField extends Set<string> {
  override has(name: string): boolean {
    return name !== 'status'
  }
}

const ANY_BUT_STATUS: ReadonlySet<string> = new AnyField()

const NOTHING: TrackedTemplate = {
  expressions: [],
  literal: true,
  variables: new Set(),
  flow: FROM_ROLE,
  render: () => undefined,
}

function noExpression(value: JsonValue | undefined): Problem {
  const hint = typeof value === 'string' && !value.includes('${') ? hintForBare(value) : undefined
  return { code: 'RB1210', message: 'exactly one `${ … }` and nothing else is needed here', hint }
}

function hintForBare(text: string): string {
  if (text === 'true' || text === 'false') return `write it without quotes: \`${text}\``
  const inner = /^\s*\{\{(.*)\}\}\s*$/s.exec(text)?.[1]
  return inner === undefined ? 'put it between `${` and `}`' : `write \`\${${meantByTemplate(inner) ?? '…'}}\``
}
