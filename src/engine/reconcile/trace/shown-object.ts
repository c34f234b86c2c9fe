import { isJsonObject, type JsonObject } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { isGivenByRole, SENSITIVE, withoutFollowed } from '../../role/followed-template.ts'
import { withoutSecrets } from '../../role/print-secret.ts'
import type { Secrecy } from '../../role/secrecy.ts'
import type { TracedTaskSource } from '../../role/task-tracer.ts'

export interface ShowOptions {
  readonly secrecy: Secrecy
  /** The task that wrote the object. */
  readonly task?: TracedTaskSource | undefined
}

/**
 * An object as people may see it: without values of Secrets and without values that the task may have made of them. Of an object of a
 * sensitive task only type and metadata are shown.
 */
export function shownObject(object: KubeObject, { secrecy, task }: ShowOptions): KubeObject {
  const { written, isSensitive } = task ?? {}
  const followed = written ? (withoutFollowed(object as JsonObject, written) as KubeObject) : object
  const { apiVersion, kind, metadata, ...content } = followed
  return withoutSecrets({ apiVersion, kind, metadata, ...(isSensitive ? hidden(content) : content) }, secrecy)
}

function hidden(content: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(content).map(([key, value]) => [key, isJsonObject(value) ? hidden(value) : SENSITIVE]),
  )
}

/** The namespace and name of an object, if the role itself gives them. They are shown even if a Secret contains the same text. */
export function namesGivenByRole({ metadata }: KubeObject, task: TracedTaskSource | undefined): readonly string[] {
  const written = task?.written
  if (!written) return []
  const said = (['namespace', 'name'] as const).filter((field) => isGivenByRole(written, ['metadata', field]))
  return said.flatMap((field) => metadata[field] ?? [])
}
