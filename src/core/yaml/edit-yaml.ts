import type { JsonPath, JsonValue } from '../base/json.ts'
import type { ParsedYaml } from './parsed-yaml.ts'
import { printFlowYaml } from './print-yaml.ts'

/** A value that is to stand in the place of another. */
export interface YamlEdit {
  /** Of a value that is there. */
  readonly path: JsonPath
  readonly value: JsonValue
}

/** The text of a document's file with other values in it. All text around the values stays as it was, comments included. */
export function editYaml(document: ParsedYaml, edits: readonly YamlEdit[]): string {
  const changes = edits.map((edit) => changeFor(edit, document))
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

function changeFor({ path, value }: YamlEdit, document: ParsedYaml) {
  const { source, start, end } = document.locate(path)
  const text = printFlowYaml(value)
  if (isBareKey(path, document)) {
    const before = source.text.slice(0, start)
    return { start: before.replace(/\?\s+$/, '').length, end, text: `${source.text.slice(start, end)}: ${text}` }
  }
  if (start < end) return { start, end, text }
  // Nothing stands there yet: the value comes behind the colon or the dash, before a comment.
  const behind = source.text.slice(0, start).trimEnd().length
  return { start: behind, end: behind, text: ` ${text}` }
}

/** Whether nothing but a key stands there, not even a colon: `{a, b}`, or `? a`. */
function isBareKey(path: JsonPath, document: ParsedYaml): boolean {
  if (typeof path.at(-1) !== 'string') return false
  const [key, value] = [document.locate(path, 'key'), document.locate(path)]
  return key.start === value.start
}
