import {
  getPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
} from '../../../core/base/json.ts'
import { ITEM_NAMES } from '../../../core/base/json-changes.ts'
import { REDACTED } from '../../../core/base/redactor.ts'
import { gvkOf, isSecret } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { Template } from '../../expression/compile-template.ts'
import { type Flow, FROM_ROLE, fieldOf, type Origin, worstOf } from '../../expression/flow/flow.ts'
import type { Secrecy } from './secrecy.ts'
import { SECRET } from './task-flows.ts'
import type { TrackedTemplate } from './tracked-template.ts'

/** What stands for a value that must not be shown. */
export const SENSITIVE = '(sensitive)'

/** An object as people may see it: of a Secret the names of its values, of everything else what the run does not hide. */
export function withoutSecrets(object: KubeObject, secrecy: Secrecy): KubeObject {
  const { apiVersion, kind, ...rest } = object as JsonObject
  const shown = isSecret(gvkOf(object)) ? withoutSecretFlow(rest, SECRET, REDACTED) : rest
  return { apiVersion, kind, ...(secrecy.redactValue(shown) as JsonObject) } as unknown as KubeObject
}

/** Where the value at a path of the result of a template may come from, as far as its texts show that. */
export function originAt(template: Template, path: JsonPath): Origin {
  // A list flows as its items do.
  const fields = path.filter((step) => typeof step === 'string')
  return worstOf(fields.reduce(fieldOf, flowOf(template))).origin
}

/** The result of a template, with `(sensitive)` for each part that may be made of a Secret, as far as its texts show that. */
export function withoutTracked(value: JsonValue, template: Template): JsonValue {
  return withoutSecretFlow(value, flowOf(template), SENSITIVE)
}

function withoutSecretFlow(value: JsonValue, flow: Flow, instead: string): JsonValue {
  if (isJsonArray(value)) return value.map((item) => withoutSecretFlow(item, flow, instead))
  if (!isJsonObject(value)) return worstOf(flow).origin === 'secret' ? instead : value
  const entries = Object.entries(value).map(([key, inner]) => {
    const shown = inner === undefined ? undefined : withoutSecretFlow(inner, fieldOf(flow, key), instead)
    return [isOpenName(key, flow) ? key : instead, shown] as const
  })
  return Object.fromEntries(entries)
}

/** A path in a value that a template has rendered, with `(sensitive)` for each name on it that may be made of a Secret. */
export function withoutTrackedNames(path: JsonPath, template: Template, value: JsonValue): JsonPath {
  let flow = flowOf(template)
  return path.map((step, index) => {
    if (typeof step === 'number') return isOpenItem(getPath(value, path.slice(0, index + 1)), flow) ? step : SENSITIVE
    const shown = isOpenName(step, flow) ? step : SENSITIVE
    flow = fieldOf(flow, step)
    return shown
  })
}

/** Whether the name of a field may be shown: the texts of the template give it, or no Secret flows into names. */
function isOpenName(name: string, { names, fields }: Flow): boolean {
  return names?.origin !== 'secret' || fields?.has(name) === true
}

/** Whether the identity of a list item may be shown: its place, or one of its fields. */
function isOpenItem(item: JsonValue | undefined, flow: Flow): boolean {
  if (item !== undefined && !isJsonObject(item)) return true
  return ITEM_NAMES.every((name) => worstOf(fieldOf(flow, name)).origin !== 'secret')
}

function flowOf(template: Template): Flow {
  return (template as Partial<TrackedTemplate>).flow ?? FROM_ROLE
}
