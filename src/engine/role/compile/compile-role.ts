import { hashJson } from '../../../core/base/hash.ts'
import type { JsonObject, JsonValue } from '../../../core/base/json.ts'
import type { GroupKind, Gvk } from '../../../core/kube/group-version-kind.ts'
import { type Diagnostic, isError } from '../../../core/yaml/diagnostic.ts'
import type { BranchObserver } from '../../expression/branch-observer.ts'
import type { Template } from '../../expression/compile-template.ts'
import { dropNulls } from '../../expression/drop-nulls.ts'
import type { ExpressionFunction } from '../../expression/function-table.ts'
import { checkRole, withoutRepeatedSlips } from '../check/check-role.ts'
import { roleFunctions } from '../functions/functions.ts'
import { RoleTexts } from '../functions/role-texts.ts'
import type { KindSchemas } from '../kind-schemas.ts'
import { withLaterNames } from '../parse/later-names.ts'
import type { RoleDraft } from '../parse/parse-role.ts'
import type { Role, RoleVariable } from '../role.ts'
import { TaskFlows } from '../secrecy/task-flows.ts'
import { compileTasks } from './compile-task.ts'
import { annotationsRead, readsOf, uniquePermissions } from './role-needs.ts'
import { TextCompiler, type TextRules } from './text-compiler.ts'
import { VariableNames } from './variable-names.ts'

export interface CompileOptions {
  readonly name: string
  /** The kind of the watch entry that the role is compiled for. */
  readonly watch: Gvk
  /** Plain values of the entry: they replace the role's own. */
  readonly vars: JsonObject
  /** What `$` has at its top. Absent when no schema is known. */
  readonly fields?: ReadonlySet<string> | undefined
  /** What is known of kinds: roles are checked against it. Absent: nothing is claimed. */
  readonly schemas?: KindSchemas | undefined
  /** Functions of the program, besides those of the language. Defaults to none. */
  readonly functions?: readonly ExpressionFunction[] | undefined
  /** Called with each branch of the role's expressions. */
  readonly branches?: BranchObserver | undefined
  /** Learns where each task is written. */
  readonly places?: TextRules['places']
  /** Kinds that can raise rights and that the role may make all the same. */
  readonly acknowledge?: readonly GroupKind[] | undefined
}

/** A draft to a role that can run, or everything that is wrong with its names and expressions. */
export function compileRole(
  draft: RoleDraft,
  options: CompileOptions,
): { readonly role?: Role; readonly diagnostics: readonly Diagnostic[] } {
  const files = new RoleTexts(draft.sources, options.branches)
  const rules = { ...options, texts: files, functions: roleFunctions(files, options.functions) }
  const texts = new TextCompiler(draft.document, rules)
  const { schemas } = options
  if (schemas) texts.diagnostics.push(...checkRole(draft, { ...rules, schemas }))
  const names = new VariableNames(undefined, rules.functions)
  const vars = compileVars(draft, options, { texts, names })
  // Names that one list gives mean nothing in the other: they never run together.
  const { sources } = draft
  const compilation = { texts, base: names, watch: options.watch, sources, local: [], flows: new TaskFlows() }
  const { tasks, graph } = compileTasks(draft.tasks, { ...compilation, order: draft.order, names: names.nested() })
  // A teardown is a procedure: what stands first has to be done first.
  const last = {
    ...compilation,
    order: 'sequential',
    names: names.nested(),
    holder: 'finalize',
    isFinal: true,
  } as const
  const finalize = draft.finalize && compileTasks(draft.finalize, last).tasks
  if (!draft.sound)
    return { diagnostics: withoutRepeatedSlips(texts.diagnostics).filter(({ code }) => code !== UNKNOWN_VARIABLE) }
  if (texts.diagnostics.some(isError))
    return { diagnostics: withLaterNames(withoutRepeatedSlips(texts.diagnostics), draft, UNKNOWN_VARIABLE) }
  const role: Role = {
    name: options.name,
    hash: hashOf(draft, options),
    watch: options.watch,
    vars,
    tasks,
    graph,
    finalize,
    permissions: uniquePermissions([...tasks, ...(finalize ?? [])].flatMap(({ kind, body }) => kind.permissions(body))),
    reads: readsOf(texts.expressions),
    annotationsRead: annotationsRead(texts.expressions),
  }
  return { role: Object.freeze(role), diagnostics: texts.diagnostics }
}

function hashOf({ document, sources }: RoleDraft, { vars, watch }: CompileOptions): string {
  const files = [...sources.used].sort().map(([path, { text }]) => [path, text])
  return hashJson({ source: document.source.text, files, vars, watch })
}

/** Not sure as long as a task that gives names could not be read. */
const UNKNOWN_VARIABLE = 'RB1204'

/** Values of the entry stand where the role's own would; those that the role does not have come first. */
function compileVars(
  { vars }: RoleDraft,
  { vars: given }: CompileOptions,
  { texts, names }: { readonly texts: TextCompiler; readonly names: VariableNames },
): Role['vars'] {
  const compiled: RoleVariable[] = []
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(vars, name)) continue
    names.add(name, undefined)
    compiled.push({ name, value: literal(value) })
  }
  for (const name of Object.keys(vars)) {
    const path = ['vars', name]
    const value = texts.template(path, names.visible(), { base: path, flows: () => undefined })
    compiled.push(
      Object.hasOwn(given, name)
        ? { name, value: literal(given[name]) }
        : { name, value, written: texts.writtenAt(path) },
    )
    const problem = names.add(name, texts.placeOf(path, 'key'))
    if (problem) texts.report(path, problem, 'key')
  }
  return Object.freeze(compiled)
}

/** A plain value: `${` in it means nothing. */
function literal(value: JsonValue | undefined): Template {
  return { expressions: [], literal: true, variables: new Set(), render: () => dropNulls(value) }
}
