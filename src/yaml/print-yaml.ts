import { Document, isScalar, Scalar, visit } from 'yaml'
import type { JsonValue } from '../base/json.ts'
import { plainScalarProblem } from './plain-scalar.ts'

/**
 * Values as YAML documents, separated by `---`, that every reader understands alike: what YAML 1.1, kubectl or we would take
 * for something else than text is quoted. Keys keep their order; equal values print equally.
 */
export function printYaml(values: readonly JsonValue[]): string {
  return values.map(printOne).join('---\n')
}

function printOne(value: JsonValue): string {
  const document = new Document(value, { aliasDuplicateObjects: false })
  visit(document, (_key, node) => {
    if (isScalar(node) && typeof node.value === 'string' && isRisky(node.value)) node.type = Scalar.QUOTE_DOUBLE
  })
  return document.toString({ lineWidth: 0 })
}

/** What YAML 1.2, in which it is printed, takes for text, and others do not. */
function isRisky(text: string): boolean {
  return (
    plainScalarProblem(text) !== undefined || POINT.test(text) || text === '<<' || text === '=' || text.includes('\t')
  )
}

/** A number without digits to YAML 1.1. */
const POINT = /^[-+]?\.[\d_]*$/
