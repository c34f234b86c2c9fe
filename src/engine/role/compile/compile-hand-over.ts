import { isJsonArray, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import type { Template } from '../../expression/compile-template.ts'
import { type FieldPath, parseFieldPath } from '../field-path.ts'
import type { Scope } from '../run/scope.ts'
import { TaskFailure } from '../task-outcome.ts'
import type { ModifierSurroundings } from './text-compiler.ts'

/** The modifier `handOver`, which stands at `path`: paths of fields, or an expression that yields them. */
export function compileHandOver(
  value: JsonValue | undefined,
  path: JsonPath,
  { texts, names, ...flows }: ModifierSurroundings,
): Template | undefined {
  if (value === undefined) return undefined
  for (const [index, text] of (isJsonArray(value) ? value : []).entries()) {
    if (typeof text !== 'string' || text.includes('${')) continue
    const parsed = parseFieldPath(text)
    if ('problem' in parsed) texts.report([...path, index], parsed.problem)
  }
  return texts.template(path, names, { base: ['handOver'], ...flows })
}

/** The paths that the modifier means in this run. @throws TaskFailure `Invalid`, ExpressionError */
export function renderHandOver(template: Template | undefined, scope: Scope): readonly FieldPath[] {
  const value = template?.render(scope) ?? []
  return (isJsonArray(value) ? value : [value]).map((text) => {
    if (typeof text !== 'string') throw new TaskFailure('Invalid', '`handOver` is not a list of paths')
    const parsed = parseFieldPath(text)
    if ('problem' in parsed) throw new TaskFailure('Invalid', `\`handOver\`: ${parsed.problem.message}`)
    return parsed.path
  })
}
