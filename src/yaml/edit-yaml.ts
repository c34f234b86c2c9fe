import type { JsonPath, JsonValue } from '../base/json.ts'
import type { ParsedYaml } from './parsed-yaml.ts'
import { printFlowYaml } from './print-yaml.ts'

/** A value that is to stand in the place of another. */
export interface YamlEdit {
  /** Of a value that is there. */
  readonly path: JsonPath
  readonly value: JsonValue
}

/** The text of a document's file with other values in it. Whatever is around them stays as it was, comments included. */
export function editYaml(document: ParsedYaml, edits: readonly YamlEdit[]): string {
  const changes = edits.map(({ path, value }) => ({ ...document.locate(path), text: printFlowYaml(value) }))
  let { text } = document.source
  let untouched = text.length
  for (const { start, end, text: value } of changes.sort((left, right) => right.start - left.start)) {
    // The outer of two that contain each other comes last, and would bring back what the inner has changed.
    if (end > untouched) continue
    const old = text.slice(start, end)
    text = text.slice(0, start) + value + old.slice(old.trimEnd().length) + text.slice(end)
    untouched = start
  }
  return text
}
