import { isJsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { charactersOf, charsetProblem, DEFAULT_CHARSET, DEFAULT_LENGTH, type GeneratedKey } from '../generated-key.ts'
import type { TextCompiler } from './text-compiler.ts'

/** The modifier `generate`, which stands at `path`. */
export function compileGenerate(
  value: JsonValue | undefined,
  path: JsonPath,
  texts: Pick<TextCompiler, 'report'>,
): readonly GeneratedKey[] {
  if (!isJsonObject(value)) return []
  return Object.entries(value).map(([key, options]) => {
    const { length = DEFAULT_LENGTH, charset = DEFAULT_CHARSET } = options as { length?: number; charset?: string }
    const problem = charsetProblem(charset)
    if (problem) texts.report([...path, key, 'charset'], problem)
    return { key, length, characters: charactersOf(charset) }
  })
}
