import type { JsonObject, JsonValue } from '../base/json.ts'
import { ANY, objectOf, record, TEXT, type Type } from '../expression/types/type.ts'
import type { Gvk } from '../kube/group-version-kind.ts'
import type { Diagnostic } from '../yaml/diagnostic.ts'
import { checkTasks } from './check-task.ts'
import type { KindSchemas } from './kind-schemas.ts'
import type { RoleDraft } from './parse-role.ts'
import { schemaType } from './schema-type.ts'
import { TypeScope } from './type-scope.ts'
import { TypedTexts } from './typed-texts.ts'

export interface CheckRoleOptions {
  readonly watch: Gvk
  /** Plain values of the watch entry: they replace the role's own. */
  readonly vars: JsonObject
  readonly schemas: KindSchemas
}

/** What can be proven wrong with a role from the schemas of the kinds that it reads and makes, and nothing else. */
export function checkRole(draft: RoleDraft, { watch, vars, schemas }: CheckRoleOptions): readonly Diagnostic[] {
  const resource = schemas.get(watch)
  const texts = new TypedTexts(draft.document, inputType(schemaType(resource)))
  const scope = new TypeScope()
  scope.set('watch', record({ group: TEXT, version: TEXT, kind: TEXT }))
  for (const [name, value] of Object.entries(draft.vars)) {
    const type = texts.value(value, { path: ['vars', name], scope })
    scope.set(name, Object.hasOwn(vars, name) ? plainType(vars[name]) : type)
  }
  for (const [name, value] of Object.entries(vars))
    if (!Object.hasOwn(draft.vars, name)) scope.set(name, plainType(value))
  checkTasks(draft.tasks, scope, { texts, schemas, resource })
  return texts.diagnostics
}

/** Values of an entry are for its role to judge: of another entry they may look different. */
function plainType(_value: JsonValue | undefined): Type {
  return ANY
}

/** Fields that the resource has and a role does not see. */
const HIDDEN: ReadonlySet<string> = new Set(['managedFields', 'resourceVersion'])

/** `$`: the resource without its status. What stands at its top is there. */
function inputType(resource: Type): Type {
  const [only] = resource.shapes ?? []
  if (only?.kind !== 'object') return ANY
  const { object } = only
  const field = (name: string): Type | undefined => {
    const type = name === 'status' ? undefined : object.field(name)
    if (type === undefined) return undefined
    return { ...(name === 'metadata' ? withoutHidden(type) : type), optional: false }
  }
  return objectOf({ field, names: () => object.names().filter((name) => name !== 'status'), unknown: object.unknown })
}

function withoutHidden(metadata: Type): Type {
  const [only] = metadata.shapes ?? []
  if (only?.kind !== 'object') return metadata
  const { object } = only
  return objectOf({
    field: (name) => (HIDDEN.has(name) ? undefined : object.field(name)),
    names: () => object.names().filter((name) => !HIDDEN.has(name)),
    unknown: 'closed',
  })
}
