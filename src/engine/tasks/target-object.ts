import { getPath, type JsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import { type Gvk, gvkOf } from '../../core/kube/group-version-kind.ts'
import type { Schema } from '../../core/schema/schema.ts'
import type { ObjectUse } from '../role/graph/object-use.ts'
import type { CompileContext, Grants, Permission } from '../role/task-kind.ts'
import { TaskFailure } from '../role/task-outcome.ts'

/** What is known of a task's object before any run. */
export interface Target {
  readonly gvk: Gvk
  /** When literal. */
  readonly name: string | undefined
  readonly namespace: string | undefined
  /** As they are written in the role. */
  readonly written: { readonly name: string | undefined; readonly namespace: string | undefined }
  /** Of an object of RBAC that is made or changed. */
  readonly grants?: Grants | undefined
}

/** What the fields of a task that reads an object may hold once they are rendered. */
export const TARGET_FIELDS: Schema = {
  type: 'object',
  properties: { name: { type: 'string' }, namespace: { type: 'string' } },
}

/** Reads the type of the object that a task is about, which must be literal, and the rest where it is. */
export function parseTarget(body: JsonValue, context: CompileContext, place: JsonPath = []): Target {
  const { apiVersion, kind } = body as { readonly apiVersion: string; readonly kind: string }
  for (const [field, text] of Object.entries({ apiVersion, kind })) {
    if (isLiteralText(text)) continue
    context.report([field], 'RB1401', `\`${field}\` must be literal text`, 'Rights and watches are computed from it.')
  }
  const { name, namespace } = getPath(body, place) as JsonObject
  return {
    gvk: gvkOf({ apiVersion, kind }),
    name: isLiteralText(name) ? name : undefined,
    namespace: isLiteralText(namespace) ? namespace : undefined,
    written: { name: textOf(name), namespace: textOf(namespace) },
  }
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** What a task does to its object. */
export function useOf({ gvk, written }: Target, access: ObjectUse['access']): ObjectUse {
  return { kind: gvk, access, ...written }
}

export function permissionFor({ gvk, name, namespace, grants }: Target, access: Permission['access']): Permission {
  return { gvk, access, name, namespace, ...(grants && { grants }) }
}

/** Text without an expression in it. An escaped one (`$${`) does not count as literal here: that only costs precision. */
export function isLiteralText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && !value.includes('${')
}

/**
 * Checks what a rendered name or namespace became, before any request is made of it.
 *
 * @throws TaskFailure `Invalid`
 */
export function checkName(value: JsonValue | undefined, field: string, gvk?: Gvk): asserts value is string {
  if (typeof value !== 'string') throw invalid(`\`${field}\` is not text`, field)
  const isPath = gvk?.group === 'rbac.authorization.k8s.io'
  const pattern = field.endsWith('namespace') ? LABEL : isPath ? PATH_SEGMENT : SUBDOMAIN
  if (!pattern.test(value)) throw invalid(`\`${field}\`${quotedIfPlain(value)} is not a valid name (DNS-1123)`, field)
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const SUBDOMAIN = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/
/** RBAC objects may be called `system:node`. */
const PATH_SEGMENT = /^(?!\.{1,2}$)(?=.{1,253}$)[\w:.@+-]+$/

/** A long name, or one with characters that a terminal would obey, is left out: redaction finds values as a whole, not a part of one. */
function quotedIfPlain(name: string): string {
  return /^[\x20-\x7e]{1,80}$/.test(name) ? ` "${name}"` : ''
}

function invalid(message: string, field: string): TaskFailure {
  return new TaskFailure('Invalid', message, { field })
}
