import type { JsonPath, JsonValue } from '../../core/base/json.ts'
import { parseDuration } from '../../core/kube/duration.ts'
import type { Template } from '../expression/compile-template.ts'
import type { ModifierSurroundings } from './text-compiler.ts'

/** The modifier `timeout`, which stands at `path`: a duration, or an expression that yields one. */
export function compileTimeout(
  value: JsonValue | undefined,
  path: JsonPath,
  { texts, names, ...flows }: ModifierSurroundings,
): Template | undefined {
  if (typeof value !== 'string') return undefined
  if (!value.includes('${') && parseDuration(value) === undefined) {
    const hint = 'write it like 30s, 5m or 1h30m'
    texts.report(path, { code: 'RB1109', message: `"${value}" is no duration`, hint })
  }
  return texts.template(path, names, { base: ['timeout'], ...flows })
}
