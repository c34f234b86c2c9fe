import type { JsonValue } from '../../../core/base/json.ts'
import { parseYaml } from '../../../core/yaml/parse-yaml.ts'
import { SourceFile } from '../../../core/yaml/source-file.ts'
import { dropNulls } from '../../expression/drop-nulls.ts'
import { functionError } from './function-errors.ts'

const MAX_DEPTH = 100
const MAX_YAML_BYTES = 256 * 1024

/** The value of YAML text found in data. @throws ExpressionError `E2005`, with the place but no text of it */
export function parseYamlText(text: string): JsonValue | undefined {
  const source = new SourceFile('', text)
  const { documents, diagnostics } = parseYaml(source, { maxBytes: MAX_YAML_BYTES, maxDepth: MAX_DEPTH })
  const [problem] = diagnostics
  if (problem) throw functionError('E2005', `line ${problem.line}, column ${problem.column} (${problem.code})`)
  if (documents.length > 1) throw functionError('E2005')
  return dropNulls(documents[0]?.value)
}

/** The value of JSON text found in data. @throws ExpressionError `E2006` */
export function parseJsonText(text: string): JsonValue | undefined {
  if (depthOf(text) > MAX_DEPTH) throw functionError('E2006')
  try {
    return dropNulls(JSON.parse(text) as JsonValue)
  } catch {
    throw functionError('E2006')
  }
}

/** How deep the brackets outside strings nest. A string that does not end is one, too: it is not looked at again from each quote in it. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (token === '[' || token === '{') depth += 1
    if (token === ']' || token === '}') depth -= 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}
