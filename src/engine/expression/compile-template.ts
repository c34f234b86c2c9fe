import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonPath,
  type JsonValue,
} from '../../core/base/json.ts'
import { walkDown } from '../../core/base/nested-too-deeply.ts'
import type { BranchObserver } from './branch-observer.ts'
import { type Bindings, compileExpression, type Expression } from './compile-expression.ts'
import { ExpressionError, TemplateError } from './expression-error.ts'
import type { FunctionTable } from './function-table.ts'
import { renderTemplate, type TemplateNode } from './render-template.ts'
import { splitTemplate, type TemplatePart, wholeExpression } from './split-template.ts'

export interface TemplateOptions {
  readonly functions: FunctionTable
  /** Whether the value at a path, relative to the template, may not be missing. */
  needsValue(path: JsonPath): boolean
  readonly branches?: BranchObserver | undefined
  /** What the template is part of: begins every path that an error names. */
  readonly base?: JsonPath | undefined
}

/** An expression of a template: where in the tree, and where in the text at that place. */
export interface TemplateExpression {
  readonly path: JsonPath
  readonly offset: number
  readonly expression: Expression
}

/** A JSON tree with `${ … }` in its texts and keys, ready to be filled in. */
export interface Template {
  readonly expressions: readonly TemplateExpression[]
  /** Whether it holds no expression. */
  readonly literal: boolean
  /** Names that its expressions take from outside. */
  readonly variables: ReadonlySet<string>
  /** @throws ExpressionError, MissingValueError */
  render(bindings: Bindings): JsonValue | undefined
}

/**
 * Compiles any JSON value with embedded expressions.
 *
 * @throws TemplateError with the path and the offset in the text there
 */
export function compileTemplate(value: JsonValue, options: TemplateOptions): Template {
  const compiler = new TemplateCompiler(options)
  const node = walkDown(() => compiler.compile(value, options.base ?? []))
  const { expressions } = compiler
  return Object.freeze({
    expressions,
    literal: expressions.length === 0,
    variables: new Set(expressions.flatMap(({ expression }) => [...expression.variables])),
    render: (bindings: Bindings) => renderTemplate(node, bindings),
  })
}

class TemplateCompiler {
  readonly expressions: TemplateExpression[] = []
  readonly #options: TemplateOptions

  constructor(options: TemplateOptions) {
    this.#options = options
  }

  compile(value: JsonValue, path: JsonPath): TemplateNode {
    if (typeof value === 'string') return this.#text(value, path)
    if (isJsonArray(value)) return this.#list(value, path)
    return isJsonObject(value) ? this.#object(value, path) : { kind: 'literal', value }
  }

  #list(items: JsonArray, path: JsonPath): TemplateNode {
    const nodes = items.map((item, index) => this.compile(item, [...path, index]))
    return { kind: 'list', items: nodes }
  }

  #object(object: JsonObject, path: JsonPath): TemplateNode {
    const fields = Object.entries(object).flatMap(([key, value]) => {
      if (value === undefined) return []
      const inner = [...path, key]
      return [{ key: this.#pieces(key, inner), path: inner, value: this.compile(value, inner) }]
    })
    return { kind: 'object', fields, path }
  }

  #text(text: string, path: JsonPath): TemplateNode {
    if (!text.includes('${')) return { kind: 'literal', value: text }
    const whole = wholeExpression(this.#split(text, path))
    if (whole === undefined) return { kind: 'text', parts: this.#pieces(text, path), path }
    const expression = this.#expression(whole, path)
    const { base = [], needsValue } = this.#options
    return { kind: 'value', expression, path, needsValue: (inner) => needsValue(inner.slice(base.length)) }
  }

  /** The parts of a text or a key; one part without expressions when it has none. */
  #pieces(text: string, path: JsonPath): readonly (string | Expression)[] {
    return this.#split(text, path).map((part) => ('source' in part ? this.#expression(part, path) : part.text))
  }

  #split(text: string, path: JsonPath): readonly TemplatePart[] {
    try {
      return splitTemplate(text)
    } catch (error) {
      throw toTemplateError(error, path, 0)
    }
  }

  #expression({ source, offset }: { source: string; offset: number }, path: JsonPath): Expression {
    try {
      const expression = compileExpression(source, this.#options)
      this.expressions.push({ path, offset, expression })
      return expression
    } catch (error) {
      throw toTemplateError(error, path, offset)
    }
  }
}

function toTemplateError(error: unknown, path: JsonPath, offset: number): unknown {
  if (!(error instanceof ExpressionError)) return error
  const place = error.position < 0 ? -1 : offset + error.position
  return new TemplateError(error.code, error.message, { path, offset: place, cause: error })
}
