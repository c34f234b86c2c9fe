import type { Diagnostic } from './diagnostic.ts'
import { type BoundedReading, halfTypedKey } from './half-typed-key.ts'
import { unquotedScalar } from './quoted-expression.ts'
import { SourceFile } from './source-file.ts'
import { FOREIGN_STATEMENT, FOREIGN_TEMPLATE, hintForStatement, withExpressions } from './template-of-others.ts'
import { wrongIndent } from './wrong-indent.ts'

/** How many mistakes of a file are reported separately. */
const MOST_MISTAKES = 20
/** How many letters are read again for keys that are half typed, at most: a check has to take well below a second. */
const MOST_LETTERS = 150_000

/** What is wrong with a text, in its order. */
type Reading = (source: SourceFile) => readonly Diagnostic[]

/**
 * The mistakes of a file that cannot be read, each once. After one mistake a parser stumbles on much that is right: so the first is
 * mended by quotes, where that is what it lacks, and the rest is read anew. Behind a mistake that quotes do not mend, nothing is sure.
 */
export function separateMistakes(source: SourceFile, errorsIn: Reading): readonly Diagnostic[] {
  const found: Diagnostic[] = []
  const readAgain = bounded(errorsIn, MOST_LETTERS)
  let rest = source
  for (let [first] = errorsIn(source); first && found.length < MOST_MISTAKES; ) {
    const mended =
      withoutStatements(rest, first, errorsIn) ??
      mendLine(rest, first, errorsIn) ??
      halfTypedKey(rest, first, readAgain)
    if (mended === undefined) {
      found.push({ ...(wrongIndent(rest, first, errorsIn) ?? first), source })
      break
    }
    found.push({ ...mended.found, source })
    rest = mended.source
    first = mended.next
  }
  return found
}

function bounded(errorsIn: Reading, letters: number): BoundedReading {
  let left = letters
  return (source) => {
    left -= source.text.length
    return left < 0 ? undefined : errorsIn(source)
  }
}

interface MendedText {
  readonly source: SourceFile
  readonly found: Diagnostic
  /** What is wrong with the rest. */
  readonly next: Diagnostic | undefined
}

/** The text without the lines that are statements of other languages. `undefined`: the line is none. */
function withoutStatements(
  { path, text }: SourceFile,
  stumbled: Diagnostic,
  errorsIn: Reading,
): MendedText | undefined {
  const lines = text.split('\n')
  const hint = hintForStatement(lines[stumbled.line - 1] ?? '')
  if (hint === undefined) return undefined
  const kept = lines.map((one) => (hintForStatement(one) === undefined ? one : ''))
  const source = new SourceFile(path, kept.join('\n'))
  const [next] = errorsIn(source)
  return { source, found: { ...stumbled, message: FOREIGN_STATEMENT, hint }, next }
}

/** The text with quotes around the expressions of a line. `undefined`: the line is still wrong, or has none without quotes. */
function mendLine({ path, text }: SourceFile, stumbled: Diagnostic, errorsIn: Reading): MendedText | undefined {
  const { line } = stumbled
  const lines = text.split('\n')
  const first = unquotedScalar(lines[line - 1] ?? '')
  if (first === undefined) return undefined
  // A line that is right by itself may be wrong because of one above it.
  const alone = new SourceFile(path, (lines[line - 1] ?? '').replace(/^[\s-]+/, ''))
  const isWrongAlone = errorsIn(alone).length > 0
  // Quotes do not help where another quote is open: such a line never comes to an end.
  let expressions = alone.text.split(/\$\{|\{\{/).length - 1
  for (let scalar: typeof first | undefined = first; scalar && expressions > 0; expressions -= 1) {
    lines[line - 1] = scalar.line
    const source = new SourceFile(path, lines.join('\n'))
    const [next] = errorsIn(source)
    const isMended = next === undefined || (next.line > line && isWrongAlone)
    if (isMended) return { source, found: { ...stumbled, ...problemWith(first) }, next }
    scalar = unquotedScalar(scalar.line)
  }
  return undefined
}

function problemWith({
  quoted,
  isForeign,
}: {
  readonly quoted: string
  readonly isForeign: boolean
}): Pick<Diagnostic, 'message' | 'hint'> {
  if (!isForeign) {
    const message = 'YAML takes a part of this expression for its own'
    return { message, hint: `YAML needs quotes around this expression: ${quoted}` }
  }
  const meant = withExpressions(quoted.slice(1, -1)) ?? '"${spec.size}"'
  return { message: FOREIGN_TEMPLATE, hint: `write an expression in quotes: ${meant}` }
}
