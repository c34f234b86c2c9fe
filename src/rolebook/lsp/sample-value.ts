import type { JsonValue } from '../../core/base/json.ts'
import { compileExpression } from '../../engine/expression/compile-expression.ts'
import { dropNulls } from '../../engine/expression/drop-nulls.ts'
import type { SeenName } from '../../engine/expression/types/inference.ts'
import type { Type } from '../../engine/expression/types/type.ts'
import { compileRole } from '../../engine/role/compile/compile-role.ts'
import { ROLE_FUNCTIONS } from '../../engine/role/functions/functions.ts'
import type { RoleDraft } from '../../engine/role/parse/parse-role.ts'
import { Scope } from '../../engine/role/run/scope.ts'
import type { ProjectView } from './project-view.ts'

const LONGEST = 200

export interface SampleContext {
  /** All names of the expression. */
  readonly names: readonly SeenName[]
  readonly input: Type
  readonly draft: RoleDraft
  readonly view: ProjectView
  readonly role: string
}

/** The value of the path that ends with a name, for the first sample of the role, as JSON. `undefined` where only a run can know it. */
export function sampleValue(source: string, name: SeenName, context: SampleContext): string | undefined {
  const [sample] = context.view.samplesOf(context.role)
  const end = name.position + name.length
  const [path = ''] = /[\w$`.]+$/.exec(source.slice(0, end)) ?? []
  const first = context.names.find(({ position }) => position === end - path.length)
  const isOfRoot = first?.kind === 'variable' || (first?.of !== undefined && first.of === context.input)
  if (!sample || !isOfRoot || first === undefined) return undefined
  try {
    const scope = new Scope(dropNulls(sample) as JsonValue)
    if (first.kind === 'variable' && !defineVars(scope, context)) return undefined
    if (first.kind === 'variable' && first.name !== '$' && scope.variable(first.name) === undefined) return undefined
    const value = compileExpression(path, { functions: ROLE_FUNCTIONS }).evaluate(scope)
    return value === undefined ? undefined : shortened(JSON.stringify(value))
  } catch {
    return undefined
  }
}

/** The variables of the role, as they are at the start of a run. */
function defineVars(scope: Scope, { draft, view, role }: SampleContext): boolean {
  const parts = view.partsOf(role)
  if (!parts) return false
  const compiled = compileRole(draft, { name: role, watch: parts.watch, vars: parts.vars })
  for (const { name, value } of compiled.role?.vars ?? []) scope.set(name, value.render(scope) as JsonValue)
  return compiled.role !== undefined
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
