import { MODIFIER_SCHEMAS } from '../../engine/role/parse/modifier-schemas.ts'
import type { ModifierName, TaskKind } from '../../engine/role/task-kind.ts'

/**
 * Stands in for a task that is not finished yet, so that the checks of the engine say what an expression at its place sees. Never in a role
 * that is checked for its author, and never run.
 */
export const PROBE_TASK: TaskKind = {
  name: 'rolebookProbe',
  doc: 'Stands in for a task that is being typed.',
  example: '',
  schema: {},
  modifiers: Object.keys(MODIFIER_SCHEMAS) as ModifierName[],
  compile: () => undefined,
  run: async () => ({ kind: 'unchanged' }),
  permissions: () => [],
}
