import { type Document, isSeq, parseDocument, type YAMLSeq } from 'yaml'
import type { JsonValue } from '../base/json.ts'
import { printYaml, quoteRisky } from './print-yaml.ts'

/**
 * The text of a YAML file that holds one list, or nothing at all, with one more item at its end. Comments, order and
 * notation of the rest stay as they are.
 */
export function appendItem(text: string, item: JsonValue): string {
  const parsed = parseDocument(text)
  const document: Document = parsed
  const { contents } = parsed
  if (contents === null) return `${text.trim()}\n${printYaml([[item]])}`.trimStart()
  if (isSeq(contents) && contents.flow !== true && !DOCUMENT_END.test(text)) {
    return appendLines(text, { start: contents.range[0], item })
  }
  const added = quoteRisky(document.createNode(item))
  if (isSeq(contents)) (contents as YAMLSeq).add(added)
  else document.contents = document.createNode([added])
  return document.toString({ lineWidth: 0 })
}

/** After it, nothing belongs to the list. */
const DOCUMENT_END = /^\.\.\.\s*$/m

/** The library would write the whole list anew. Items with an empty line between them get one more. */
function appendLines(text: string, { start, item }: { readonly start: number; readonly item: JsonValue }): string {
  const indent = ' '.repeat(start - text.lastIndexOf('\n', start - 1) - 1)
  const lines = printYaml([[item]]).replace(/^(?=.)/gm, indent)
  const isSpacious = /\n\s*\n/.test(text.slice(start).trimEnd())
  return `${text.trimEnd()}\n${isSpacious ? '\n' : ''}${lines}`
}
