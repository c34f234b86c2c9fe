import { type CST, type Document, isScalar, type ParsedNode, Parser, visit, type YAMLError } from 'yaml'
import { deepFreeze } from '../base/json.ts'
import { checkText } from './check-text.ts'
import { checkTokens } from './check-tokens.ts'
import { composeYaml } from './compose-yaml.ts'
import { type Diagnostic, diagnosticAt, isError } from './diagnostic.ts'
import { GoNodeReader } from './go-node-reader.ts'
import { ParsedYaml } from './parsed-yaml.ts'
import { type Dialect, NodeReader, type ReaderOptions } from './read-node.ts'
import { separateMistakes } from './separate-mistakes.ts'
import type { SourceFile } from './source-file.ts'
import { authorMessage } from './yaml-messages.ts'

export interface YamlOptions {
  /** A second document is an error, and so is none. Defaults to false. */
  readonly single?: boolean | undefined
  /** Defaults to 1 MiB. */
  readonly maxBytes?: number | undefined
  /** Lists and maps inside each other. Defaults to 100. */
  readonly maxDepth?: number | undefined
  /** Values, aliases counted as what they stand for. Defaults to 100,000. */
  readonly maxNodes?: number | undefined
  /**
   * How plain scalars are understood that readers of YAML do not agree on: refused, or as YAML 1.1 has them, which is
   * for files of programs that read it so. `go` reads everything as the YAML library of Kubernetes does, also keys that are
   * no text, or given twice. Defaults to `strict`.
   */
  readonly dialect?: Dialect | undefined
}

export interface YamlFile {
  /** Empty documents are left out. None when there is an error. */
  readonly documents: readonly ParsedYaml[]
  readonly diagnostics: readonly Diagnostic[]
}

/** YAML 1.2 text to values that know where they were written. Bounds are checked before anything expands or recurses. */
export function parseYaml(source: SourceFile, options: YamlOptions = {}): YamlFile {
  const { maxBytes = 1024 * 1024, maxDepth = 100, maxNodes = 100_000, dialect = 'strict' } = options
  const unfit = checkText(source, maxBytes)
  if (unfit.length > 0) return { documents: [], diagnostics: unfit }

  const tokens: CST.Token[] = [...new Parser().parse(source.text)]
  const refused = checkTokens(source, tokens, { depth: maxDepth, nodes: maxNodes })
  if (refused.some(({ code }) => code === 'RB1002')) return { documents: [], diagnostics: refused }

  const composed = composeYaml(tokens)
  const broken = syntaxErrors(source, composed).length > 0
  if (refused.length > 0 || broken) return { documents: [], diagnostics: mistakesOf(source, refused) }

  const { documents, found } = readDocuments(source, composed, { maxNodes, dialect })
  const diagnostics = options.single ? [...found, ...singleProblems(source, composed, documents)] : found
  return { documents: diagnostics.some(isError) ? [] : documents, diagnostics }
}

function readDocuments(source: SourceFile, composed: readonly Document.Parsed[], options: ReaderOptions) {
  const read = composed.flatMap(({ contents }) => {
    if (isEmpty(contents)) return []
    const reader = options.dialect === 'go' ? new GoNodeReader(source, options) : new NodeReader(source, options)
    const value = deepFreeze(reader.read(contents))
    const document = new ParsedYaml(source, value, { root: contents, targets: reader.targets })
    return [{ found: reader.found, document }]
  })
  return { documents: read.map(({ document }) => document), found: read.flatMap(({ found }) => found) }
}

function isEmpty(contents: ParsedNode | null): contents is null {
  return contents === null || (isScalar(contents) && contents.type === 'PLAIN' && contents.source === '')
}

function singleProblems(source: SourceFile, composed: readonly Document.Parsed[], documents: readonly ParsedYaml[]) {
  const second = composed[1]
  if (second) {
    const [start] = second.range
    const end = source.text.startsWith('---', start) ? start + 3 : start
    const message = 'a second document in a file that may hold only one'
    return [diagnosticAt({ source, start, end }, { code: 'RB1012', message, hint: 'move it to a file of its own' })]
  }
  if (documents.length > 0) return []
  return [diagnosticAt({ source, start: 0, end: 0 }, { code: 'RB1014', message: 'the file is empty' })]
}

/** A mistake in a token is certain. An error of the parser after such a token may be only a result of it. */
function mistakesOf(source: SourceFile, refused: readonly Diagnostic[]): readonly Diagnostic[] {
  const firstRefused = Math.min(...refused.map(({ line }) => line))
  const others = separateMistakes(source, (text) =>
    inOrder(syntaxErrors(text, composeYaml([...new Parser().parse(text.text)]))),
  )
  return onePerLine([...refused, ...others.filter(({ line }) => line < firstRefused)])
}

function syntaxErrors(source: SourceFile, documents: readonly Document.Parsed[]): readonly Diagnostic[] {
  return documents.flatMap((document) => {
    const { errors, warnings } = document
    const starts = errors.some(isUnclosed) ? scalarStarts(document) : new Map<number, number>()
    return [...errors, ...warnings].map((error) => toDiagnostic(source, error, placeOf(error, starts)))
  })
}

function isUnclosed({ message }: YAMLError): boolean {
  return message.startsWith('Missing closing ')
}

/** Where each scalar begins, by where it ends. */
function scalarStarts(document: Document.Parsed): ReadonlyMap<number, number> {
  const starts = new Map<number, number>()
  visit(document, {
    Scalar: (_, { range }) => {
      if (range) starts.set(range[1], range[0])
    },
  })
  return starts
}

/** The library finds at the end of the file that a quote is not closed. An author looks for where it is opened. */
function placeOf(error: YAMLError, starts: ReadonlyMap<number, number>): readonly [number, number] {
  const start = isUnclosed(error) ? starts.get(error.pos[0]) : undefined
  return start === undefined ? error.pos : [start, start + 1]
}

/** Characters on each side of a mistake that its words depend on: a long line may hold many mistakes. */
const WORDS_NEED = 200

function toDiagnostic(
  source: SourceFile,
  { code, message }: YAMLError,
  [start, end]: readonly [number, number],
): Diagnostic {
  const near = source.text.slice(Math.max(0, start - WORDS_NEED), start)
  const before = near.slice(near.lastIndexOf('\n') + 1)
  const rest = source.text.slice(start, Math.min(end + 1, start + WORDS_NEED))
  const words = authorMessage({ message, before, rest })
  return diagnosticAt({ source, start, end }, { code: CODES[code] ?? 'RB1001', ...words })
}

const CODES: Partial<Readonly<Record<YAMLError['code'], string>>> = {
  TAB_AS_INDENT: 'RB1004',
  TAG_RESOLVE_FAILED: 'RB1006',
  BAD_COLLECTION_TYPE: 'RB1006',
}

/** One mistake makes the parser stumble on everything behind it: the first of a line is the one to mend. */
function onePerLine(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const lines = new Set<number>()
  return inOrder(diagnostics).filter(({ line }) => !lines.has(line) && lines.add(line))
}

function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort((a, b) => a.line - b.line || a.column - b.column)
}
