import type { JsonValue } from '../base/json.ts'
import { isError } from './diagnostic.ts'
import { parseYaml } from './parse-yaml.ts'
import { SourceFile } from './source-file.ts'

export interface YamlBody {
  readonly value: JsonValue
  /** Of keys that stand twice in one map: `line 5: key "data" already set in map`. The last one counts. */
  readonly duplicates: readonly string[]
}

const MAX_BYTES = 3 * 1024 * 1024
const MAX_DEPTH = 500

/** The first document in a text, read as the API server reads YAML; null when there is none. @throws Error in words */
export function parseYamlBody(text: string): YamlBody {
  const source = new SourceFile('body', text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'))
  const { documents, diagnostics } = parseYaml(source, { dialect: 'go', maxBytes: MAX_BYTES, maxDepth: MAX_DEPTH })
  const texts = diagnostics.map(({ line, message }) => `line ${line}: ${message}`)
  const problem = diagnostics.findIndex(isError)
  if (problem !== -1) throw new Error(texts[problem])
  return { value: documents[0]?.value ?? null, duplicates: texts }
}

/** The value of the first document in a text. @throws Error in words */
export function parseBody(text: string): JsonValue {
  return parseYamlBody(text).value
}
