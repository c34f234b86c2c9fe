import { MODIFIER_SCHEMAS } from '../../engine/role/parse/modifier-schemas.ts'
import type { TaskKind } from '../../engine/role/task-kind.ts'
import { builtinTaskKinds } from '../../engine/tasks/builtin-task-kinds.ts'

/**
 * A kind of task, for `taskKinds` of `loadProject`. It is plain data; `TaskKind` explains each member.
 *
 * @throws Error when rolebook itself has a kind or a modifier of this name, or when roles could not write the name
 */
export function defineTaskKind<Compiled>(kind: TaskKind<Compiled>): TaskKind<Compiled> {
  const { name } = kind
  const cannot = `cannot define the kind of task "${name}"`
  if (!/^[a-z][A-Za-z0-9]*$/.test(name)) {
    throw new Error(`${cannot}: a name is letters and digits, and begins with a small letter`)
  }
  if (builtinTaskKinds.some((one) => one.name === name)) throw new Error(`${cannot}: rolebook has one of this name`)
  if (name === 'name' || Object.hasOwn(MODIFIER_SCHEMAS, name)) {
    throw new Error(`${cannot}: it is the name of a modifier`)
  }
  return Object.freeze({ ...kind })
}
