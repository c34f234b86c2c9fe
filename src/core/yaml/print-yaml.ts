import { Document, isCollection, isScalar, type Node, Scalar, type ToStringOptions, visit } from 'yaml'
import type { JsonValue } from '../base/json.ts'
import { walkDown } from '../base/nested-too-deeply.ts'
import { plainScalarProblem } from './plain-scalar.ts'

/**
 * Values as YAML documents, separated by `---`, that every reader understands alike: what YAML 1.1, kubectl or we would take
 * for something else than text is quoted. Keys keep their order; equal values print equally.
 */
export function printYaml(values: readonly JsonValue[]): string {
  return walkDown(() => values.map(printOne).join('---\n'))
}

/** A value on one line, as it can stand in the place of any other: maps in braces, lists in brackets. */
export function printFlowYaml(value: JsonValue): string {
  return walkDown(() => printFlow(value))
}

function printFlow(value: JsonValue): string {
  const document = new Document({ value }, { aliasDuplicateObjects: false })
  visit(document, (_key, node) => {
    if (isCollection(node)) node.flow = true
    if (isScalar(node) && typeof node.value === 'string' && node.value.includes('\n')) node.type = Scalar.QUOTE_DOUBLE
  })
  const whole = printDocument(document, { doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY }).trimEnd()
  return whole.slice('{ value: '.length, -' }'.length)
}

function printOne(value: JsonValue): string {
  return printDocument(new Document(value, { aliasDuplicateObjects: false }))
}

/** Quotes what readers of YAML might take for something else than text, in a node and in everything within it. */
export function quoteRisky<N extends Document | Node>(root: N): N {
  visit(root, (_key, node) => {
    if (isScalar(node) && typeof node.value === 'string' && isRisky(node.value)) node.type = Scalar.QUOTE_DOUBLE
  })
  return root
}

function printDocument(document: Document, options: ToStringOptions = {}): string {
  quoteRisky(document)
  return document.toString({ lineWidth: 0, ...options }).replace(INVISIBLE, escapeSequence)
}

/** Characters that turn the direction of writing, and others that are invisible: quoted by `isRisky`, so they can be escaped. */
const INVISIBLE = /[\u007F-\u009F\u202A-\u202E\u2066-\u2069\uFEFF]/g

function escapeSequence(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** What YAML 1.2, in which it is printed, takes for text, and others do not. */
function isRisky(text: string): boolean {
  return (
    plainScalarProblem(text) !== undefined ||
    POINT.test(text) ||
    text.search(INVISIBLE) !== -1 ||
    text === '<<' ||
    text === '=' ||
    text.includes('\t')
  )
}

/** A number without digits to YAML 1.1. */
const POINT = /^[-+]?\.[\d_]*$/
