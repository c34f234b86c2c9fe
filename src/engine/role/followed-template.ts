import { getPath, isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import { ITEM_NAMES } from '../../core/base/json-changes.ts'
import type { Template } from '../expression/compile-template.ts'
import { type Flow, FROM_ROLE, fieldOf, type Origin, worstOf } from '../expression/flow/flow.ts'

/** A template that knows, as far as its texts tell, which parts of what it renders may be made of Secrets. */
export interface FollowedTemplate extends Template {
  /** What may flow into what it renders. */
  readonly flow: Flow
}

/** What stands for a value that must not be shown. */
export const SENSITIVE = '(sensitive)'

/** Whether a value of a Secret may stand at a path of what a template renders, as far as its texts tell. */
export function mayHoldSecret(template: Template, path: JsonPath): boolean {
  return originAt(template, path) === 'secret'
}

/** Whether the role says what a template renders at a path without reading anything: it stays, whatever a Secret happens to hold. */
export function isGivenByRole(template: Template, path: JsonPath): boolean {
  return originAt(template, path) === 'role'
}

/** What a template has rendered, with `(sensitive)` wherever a value of a Secret may stand, as far as its texts tell. */
export function withoutFollowed(value: JsonValue, template: Template): JsonValue {
  return withoutSecretFlow(value, flowOf(template))
}

/** A path in a value that a template has rendered, with `(sensitive)` for each name on it that may be made of a Secret. */
export function withoutFollowedNames(path: JsonPath, template: Template, value: JsonValue): JsonPath {
  let flow = flowOf(template)
  return path.map((step, index) => {
    if (typeof step === 'number') return isOpenItem(getPath(value, path.slice(0, index + 1)), flow) ? step : SENSITIVE
    const shown = isOpenName(step, flow) ? step : SENSITIVE
    flow = fieldOf(flow, step)
    return shown
  })
}

function withoutSecretFlow(value: JsonValue, flow: Flow): JsonValue {
  if (isJsonArray(value)) return value.map((item) => withoutSecretFlow(item, flow))
  if (!isJsonObject(value)) return worstOf(flow).origin === 'secret' ? SENSITIVE : value
  const entries = Object.entries(value).map(([key, inner]) => {
    const shown = inner === undefined ? undefined : withoutSecretFlow(inner, fieldOf(flow, key))
    return [isOpenName(key, flow) ? key : SENSITIVE, shown] as const
  })
  return Object.fromEntries(entries)
}

/** Whether anybody may see the name of a field: those that the texts of the template give. */
function isOpenName(name: string, { names, fields }: Flow): boolean {
  return names?.origin !== 'secret' || fields?.has(name) === true
}

/** Whether the identity of a list item may be shown: its place, or one of its fields. */
function isOpenItem(item: JsonValue | undefined, flow: Flow): boolean {
  if (item !== undefined && !isJsonObject(item)) return true
  return ITEM_NAMES.every((name) => worstOf(fieldOf(flow, name)).origin !== 'secret')
}

function originAt(template: Template, path: JsonPath): Origin {
  let flow = flowOf(template)
  // A list flows as its items do.
  for (const step of path) if (typeof step === 'string') flow = fieldOf(flow, step)
  return worstOf(flow).origin
}

function flowOf(template: Template): Flow {
  return (template as Partial<FollowedTemplate>).flow ?? FROM_ROLE
}
