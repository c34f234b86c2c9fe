import type { JsonObject } from '../../../core/base/json.ts'
import type { GroupKind, Gvk } from '../../../core/kube/group-version-kind.ts'
import type { Diagnostic } from '../../../core/yaml/diagnostic.ts'
import type { FunctionTable } from '../../expression/function-table.ts'
import { ANY, objectOf, record, TEXT, type Type } from '../../expression/types/type.ts'
import type { RoleTexts } from '../functions/role-texts.ts'
import type { KindSchemas } from '../kind-schemas.ts'
import type { RoleDraft } from '../parse/parse-role.ts'
import { reportForeignSyntax } from './check-foreign-syntax.ts'
import { warnOfSelectors } from './check-selectors.ts'
import { ResourceNames } from './check-sinks.ts'
import { checkTasks } from './check-task.ts'
import { warnOfUnusedNames, warnOfUnusedVars } from './check-unused.ts'
import { schemaType } from './schema-type.ts'
import { TypeScope } from './type-scope.ts'
import { FOREIGN_SYNTAX, TypedTexts, type TypeRules } from './typed-texts.ts'

export interface CheckRoleOptions {
  readonly watch: Gvk
  /** Plain values of the watch entry: they replace the role's own. */
  readonly vars: JsonObject
  readonly schemas: KindSchemas
  readonly functions: FunctionTable
  readonly texts: RoleTexts
  /** Kinds that can raise rights and that the role may make all the same. */
  readonly acknowledge?: readonly GroupKind[] | undefined
  /** Is given every expression that is typed. Defaults to nothing. */
  readonly see?: TypeRules['see']
}

/** What can be proven wrong with a role from the schemas of the kinds that it reads and makes, and nothing else. */
export function checkRole(draft: RoleDraft, options: CheckRoleOptions): readonly Diagnostic[] {
  const { watch, vars, schemas, acknowledge = [] } = options
  const resource = schemas.get(watch)
  const input = inputType(schemaType(resource))
  const texts = new TypedTexts(draft.document, { ...options, input })
  const scope = new TypeScope()
  scope.set('watch', record({ group: TEXT, version: TEXT, kind: TEXT }))
  for (const [name, value] of Object.entries(draft.vars)) {
    const path = ['vars', name]
    scope.set(name, texts.value(value, { path, scope }))
    reportForeignSyntax(value, path, { texts, names: new Set(scope.visible().keys()), isFree: true })
  }
  // Values of an entry are for its role to judge: of another entry they may look different.
  for (const name of Object.keys(vars)) scope.set(name, ANY)
  const resourceNames = new ResourceNames(draft, options.functions)
  const check = { texts, schemas, resource, acknowledge, base: scope, sound: draft.sound, resourceNames }
  const lists = [draft.tasks, draft.finalize ?? []]
  for (const tasks of lists) checkTasks(tasks, scope.nested(), check)
  if (draft.sound) warnOfSelectors(draft, schemas, texts)
  if (draft.sound) warnOfUnusedVars(draft, texts)
  if (draft.sound) warnOfUnusedNames(lists.flat(), texts)
  return texts.diagnostics
}

/** Syntax of another language is reported once, and as the types of the role have it, which are looked at first. */
export function withoutRepeatedSlips(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>()
  return diagnostics.filter(({ code, file, line, column }) => {
    const place = `${file} ${line} ${column}`
    return code !== FOREIGN_SYNTAX || (!seen.has(place) && seen.add(place))
  })
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
  const names = (): readonly string[] => object.names().filter((name) => name !== 'status')
  return objectOf({ field, names, doc: object.doc, unknown: object.unknown })
}

function withoutHidden(metadata: Type): Type {
  const [only] = metadata.shapes ?? []
  if (only?.kind !== 'object') return metadata
  const { object } = only
  return objectOf({
    field: (name) => (HIDDEN.has(name) ? undefined : object.field(name)),
    names: () => object.names().filter((name) => !HIDDEN.has(name)),
    doc: object.doc,
    unknown: 'closed',
  })
}
