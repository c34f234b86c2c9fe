import type { SourceFile } from '../../../core/yaml/source-file.ts'
import type { BranchObserver } from '../../expression/branch-observer.ts'
import type { Builtin } from '../../expression/builtins/builtin.ts'
import { compileExpression, type Expression } from '../../expression/compile-expression.ts'
import { MissingValueError } from '../../expression/expression-error.ts'
import type { FunctionTable, Reads } from '../../expression/function-table.ts'
import { namePlace } from '../../expression/name-place.ts'
import { splitTemplate } from '../../expression/split-template.ts'
import type { FoundSource, UsedSources } from '../parse/role-sources.ts'
import { functionError } from './function-errors.ts'

/** As much as a ConfigMap can hold, and a result of an expression. */
const MAX_LENGTH = 1_000_000

/** Texts that fill each other in, one within the other: far more than a budget allows. */
const MAX_DEPTH = 50

/** Levels of depth that a text within a text counts for. */
const LEVELS = 50

/** The texts in `files/` of a role, for `$file` and `$template`. */
export class RoleTexts {
  readonly #sources: UsedSources
  readonly #branches: BranchObserver | undefined
  readonly #templates = new Map<string, TextTemplate>()
  #depth = 0

  constructor(sources: UsedSources, branches?: BranchObserver) {
    this.#sources = sources
    this.#branches = branches
  }

  /** A text by its path below `files/`, or what is wrong with naming it. */
  find(path: string): FoundSource {
    const found = this.#sources.find(`files/${path}`)
    if (found.source === undefined || found.source.text.length <= MAX_LENGTH) return found
    const message = `"files/${path}" has ${found.source.text.length} characters: at most ${MAX_LENGTH} can be used`
    return { problem: { code: 'RB1152', message, hint: 'no object of the cluster could hold it: split the file' } }
  }

  /** A text as a template. One that is wrong, or leads back to itself, is empty: that is reported where it is named. */
  template(path: string, functions: FunctionTable): TextTemplate {
    const known = this.#templates.get(path)
    if (known !== undefined) return known
    this.#templates.set(path, [])
    const { source } = this.find(path)
    const template = source === undefined || this.#depth >= MAX_DEPTH ? [] : this.#compile(source, functions)
    this.#templates.set(path, template)
    return template
  }

  #compile(source: SourceFile, functions: FunctionTable): TextTemplate {
    this.#depth += 1
    const template = compileText(source, (text) => compileExpression(text, { functions, branches: this.#branches }))
    this.#depth -= 1
    return template
  }
}

/** Pieces of a text: as they are, or an expression and how messages name its place. */
type TextTemplate = readonly (string | { readonly expression: Expression; readonly place: string })[]

function compileText(source: SourceFile, compile: (text: string) => Expression): TextTemplate {
  try {
    return splitTemplate(source.text).map((part) => {
      if ('text' in part) return part.text
      const place = `line ${source.position(part.offset).line} of ${source.path}`
      return { expression: compile(part.source), place }
    })
  } catch {
    return []
  }
}

/** What the expressions of a text read. */
export function readsOf(template: TextTemplate): Reads {
  const expressions = template.flatMap((part) => (typeof part === 'string' ? [] : [part.expression]))
  return {
    variables: new Set(expressions.flatMap(({ variables }) => [...variables])),
    inputPaths: expressions.flatMap(({ inputPaths }) => inputPaths),
  }
}

/**
 * Fills a text in, with what the expression around it may use.
 *
 * @throws MissingValueError, ExpressionError
 */
export function renderText(template: TextTemplate, call: Parameters<Builtin['run']>[0]): string {
  const { budget } = call
  budget.enter(LEVELS)
  let text = ''
  for (const part of template) {
    const piece = typeof part === 'string' ? part : renderPart(part, call)
    budget.step(1 + Math.floor(piece.length / 64))
    budget.allocate(2 * piece.length)
    text += piece
  }
  budget.leave(LEVELS)
  return text
}

function renderPart(
  { expression, place }: Exclude<TextTemplate[number], string>,
  { surroundings, budget }: Parameters<Builtin['run']>[0],
): string {
  const value = namePlace(place, () => expression.evaluate(surroundings, budget))
  if (value === undefined || value === null) throw new MissingValueError([], expression, place)
  if (typeof value === 'string') return value
  if (typeof value === 'object') throw functionError('E2009', place)
  return JSON.stringify(value)
}
