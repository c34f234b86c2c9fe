import { type Diagnostic, diagnosticAt, type Problem, type SourceRange } from '../../../core/yaml/diagnostic.ts'
import { quotedExpression } from '../../../core/yaml/quoted-expression.ts'
import type { SourceFile } from '../../../core/yaml/source-file.ts'
import { checkExpression, type ExpressionProblem } from '../../expression/check-expression.ts'
import type { ExpressionError } from '../../expression/expression-error.ts'
import type { FunctionTable } from '../../expression/function-table.ts'
import { shellVariable } from '../../expression/shell-variable.ts'
import { splitTemplate, type TemplatePart } from '../../expression/split-template.ts'
import { type PlacedTextCall, textCallsOf } from '../../expression/text-calls.ts'
import type { RoleTexts } from '../functions/role-texts.ts'

/** What the expressions of a place may use. */
export interface TextSurroundings {
  readonly functions: FunctionTable
  readonly texts: RoleTexts
  /** Variables, without `$`. */
  readonly names: ReadonlySet<string>
  /** Names that `$` has at its top. */
  readonly fields: ReadonlySet<string>
}

/** Where a stretch of a text stands in its file. */
type Locate = (offset: number, length: number) => SourceRange

/** Says what is wrong with the expressions of texts, also of those files that they fill in. */
export class TextChecker {
  readonly diagnostics: Diagnostic[] = []
  readonly #surroundings: TextSurroundings
  /** Paths of templates: what is right at one place of the same surroundings is so at all. */
  readonly #checked = new Set<string>()

  constructor(surroundings: TextSurroundings) {
    this.#surroundings = surroundings
  }

  /** `chain` is how the text came to be filled in: the paths of templates, outermost first. */
  check(text: string, locate: Locate, chain: readonly string[] = []): void {
    if (!text.includes('${')) return
    for (const part of this.#split(text, locate, chain)) if ('source' in part) this.#checkPart(part, locate, chain)
  }

  #checkPart({ source, offset }: { source: string; offset: number }, locate: Locate, chain: readonly string[]): void {
    const { functions, names, fields } = this.#surroundings
    const problems = checkExpression(source, { functions, variables: names, rootFields: fields })
    const [first] = problems
    const shell = first?.hint?.startsWith('did you mean') ? undefined : shellVariable(`\${${source}}`)
    if (first && shell !== undefined) {
      this.#report(locate(offset - 2, shell.length), { ...describe(first, source), ...ofShell(shell, chain) })
      return
    }
    for (const problem of problems) {
      const described = describe(problem, source)
      const hint = described.hint ?? (chain.length > 0 && problem.code === 'syntax' ? asText(chain) : undefined)
      this.#report(locate(offset + problem.position, problem.length ?? 1), { ...described, hint })
    }
    if (problems.some(({ code }) => code !== 'unknown-variable' && code !== 'unknown-path')) return
    for (const call of textCallsOf(source, functions)) {
      this.#checkCall(call, locate(offset + call.position, call.length), chain)
    }
  }

  #checkCall({ name, text: path }: PlacedTextCall, range: SourceRange, chain: readonly string[]): void {
    const { source, problem } = this.#surroundings.texts.find(path)
    if (problem) this.#report(range, problem)
    else if (name === 'template') this.#checkTemplate(path, source, { range, chain })
  }

  #checkTemplate(path: string, source: SourceFile, { range, chain }: { range: SourceRange; chain: readonly string[] }) {
    if (chain.length >= MAX_DEPTH) this.#report(range, TOO_DEEP)
    else if (chain.includes(path)) {
      const message = `this fills itself in: ${[...chain.slice(chain.indexOf(path)), path].join(' → ')}`
      this.#report(range, { code: 'RB1155', message, hint: 'break the circle: a text has an end' })
    } else if (!this.#checked.has(path)) {
      this.check(source.text, (start, length) => ({ source, start, end: start + length }), [...chain, path])
      this.#checked.add(path)
    }
  }

  #split(text: string, locate: Locate, chain: readonly string[]): readonly TemplatePart[] {
    try {
      return splitTemplate(text)
    } catch (error) {
      const position = Math.max(0, (error as ExpressionError).position)
      const shell = shellVariable(text.slice(position))
      if (shell !== undefined)
        this.#report(locate(position, shell.length), { code: 'RB1202', ...ofShell(shell, chain) })
      else this.#reportUnclosed(locate(position, 2), chain)
      return []
    }
  }

  #reportUnclosed(range: SourceRange, chain: readonly string[]): void {
    const { line, column } = range.source.position(range.start)
    const text = range.source.line(line) as string
    const quoted = quotedExpression(text)
    const byYaml = quoted && `YAML ends unquoted text at \`: \` and \` #\`; in quotes it is ${quoted}`
    const isFile = chain.length > 0
    const ofClosed = isFile ? asText(chain) : byYaml
    const hint = isClosed(text.slice(column - 1)) ? ofClosed : 'a `}` is missing behind the expression'
    this.#report(range, { code: 'RB1202', message: 'this `${` is never closed', hint })
  }

  #report(range: SourceRange, problem: Problem): void {
    this.diagnostics.push(diagnosticAt(range, problem))
  }
}

/** What is said of a variable of a shell, in a text or in the last file of a chain. */
function ofShell(shell: string, chain: readonly string[]): { readonly message: string; readonly hint: string } {
  const written = `write \`${shell.replaceAll('${', () => '$${')}\` to keep it for a shell`
  return {
    message: `\`${shell}\` is of a shell, and \`\${\` begins an expression here`,
    hint: chain.length === 0 ? written : `${written}, or read the file by \`$file("${chain.at(-1)}")\``,
  }
}

/** In a file that is filled in, what looks like an expression may be text. */
function asText(chain: readonly string[]): string {
  return `for the text \`\${\`, write \`$\${\`, or read the file by \`$file("${chain.at(-1)}")\``
}

/** Whether a brace of the line closes its first, so that YAML has taken the rest for its own. */
function isClosed(text: string): boolean {
  let depth = 0
  for (const letter of text) {
    if (letter === '{') depth += 1
    if (letter === '}') depth -= 1
    if (letter === '}' && depth === 0) return true
  }
  return false
}

/** Texts that fill each other in, one within the other. A budget allows for no more. */
const MAX_DEPTH = 5
const TOO_DEEP: Problem = {
  code: 'RB1155',
  message: `texts fill each other in more than ${MAX_DEPTH} deep`,
  hint: 'put them into fewer files',
}

const CODES: Readonly<Record<ExpressionProblem['code'], string>> = {
  syntax: 'RB1201',
  'foreign-syntax': 'RB1211',
  'unknown-function': 'RB1203',
  'unknown-variable': 'RB1204',
  'refused-function': 'RB1205',
  'refused-construct': 'RB1206',
  'unknown-path': 'RB1207',
  'path-needed': 'RB1150',
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
