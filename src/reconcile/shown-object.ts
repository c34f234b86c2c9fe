import type { KubeObject } from '../kube/object.ts'
import type { TracedTaskSource } from '../role/task-tracer.ts'
import { isSaidByRole } from '../role/witnessed.ts'

/** Where an object is and what it is called, as far as the role itself says so: it stays, whatever a Secret happens to hold. */
export function saidNames({ metadata }: KubeObject, task: TracedTaskSource | undefined): readonly string[] {
  const written = task?.written
  if (!written) return []
  const said = (['namespace', 'name'] as const).filter((field) => isSaidByRole(written, ['metadata', field]))
  return said.flatMap((field) => metadata[field] ?? [])
}
