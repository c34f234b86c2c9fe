import type { JsonObject, JsonPath } from '../../../core/base/json.ts'
import { describeType, isAlways, type Type } from '../../expression/types/type.ts'
import type { TypeScope } from './type-scope.ts'
import type { TypedTexts } from './typed-texts.ts'

/** Reports a loop over what is never a list. An object may be meant: it is one item, or none when it is absent. */
export function checkLoop(
  { loop }: JsonObject,
  type: Type,
  { path, scope, texts }: { readonly path: JsonPath; readonly scope: TypeScope; readonly texts: TypedTexts },
): void {
  if (loop === undefined || type.collapses || !isAlways(type, 'number', 'boolean', 'text')) return
  const message = `a loop goes over a list, and this is ${describeType(type)}`
  const isText = isAlways(type, 'text')
  const problem = {
    severity: isText ? 'warning' : 'error',
    code: 'RB1157',
    message,
    hint: hintFor(typeof loop === 'string' ? loop : '', type),
  } as const
  if (typeof loop === 'string') texts.reportText(loop, { path, scope }, problem)
  else texts.report(path, problem)
}

function hintFor(loop: string, type: Type): string {
  const source = /^\$\{\s*([\w.$]+)\s*\}$/.exec(loop)?.[1]
  if (isAlways(type, 'number')) return `write \`\${[1..${source ?? '…'}]}\` to count`
  if (isAlways(type, 'boolean')) return `write \`when: \${${source ?? '…'}}\` in place of the loop`
  return `write \`\${$split(${source ?? '…'}, ",")}\` for its parts, or \`\${[${source ?? '…'}]}\` for a list of one`
}
