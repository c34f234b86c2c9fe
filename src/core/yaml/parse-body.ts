import type { JsonValue } from '../base/json.ts'
import { isError } from './diagnostic.ts'
import { parseYaml } from './parse-yaml.ts'
import { SourceFile } from './source-file.ts'

/** The value of the first document in a text, as people send it with curl; null when there is none. @throws Error in words */
export function parseBody(text: string): JsonValue {
  const { documents, diagnostics } = parseYaml(new SourceFile('body', text))
  const [problem] = diagnostics.filter(isError)
  if (problem) throw new Error(`line ${problem.line}: ${problem.message}`)
  return documents[0]?.value ?? null
}
