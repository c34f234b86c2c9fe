import { isJsonArray, isJsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { TaskModifiers } from '../task-modifiers.ts'

/** The modifier `adopt`: a word, or a map that names managers. What is neither is refused before. */
export function compileAdopt(value: JsonValue | undefined): Pick<TaskModifiers, 'adopt' | 'adoptFrom'> {
  if (!isJsonObject(value)) return { adopt: value === 'ifUnowned' ? 'ifUnowned' : 'never', adoptFrom: [] }
  const names = isJsonArray(value.from) ? value.from.map(String) : []
  return { adopt: 'ifUnowned', adoptFrom: names.sort() }
}
