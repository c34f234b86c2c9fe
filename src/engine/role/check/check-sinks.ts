import { isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import type { Problem } from '../../../core/yaml/diagnostic.ts'
import { type Flow, FROM_CLUSTER, FROM_ROLE, worstOf } from '../../expression/flow/flow.ts'
import { inferFlow } from '../../expression/flow/infer-flow.ts'
import type { FunctionTable } from '../../expression/function-table.ts'
import { splitTemplate } from '../../expression/split-template.ts'
import { type TaskDraft, withNested } from '../parse/draft-tasks.ts'
import type { RoleDraft } from '../parse/parse-role.ts'
import type { TypedTexts } from './typed-texts.ts'

/** What values are checked with. */
export interface SinkCheck {
  readonly texts: TypedTexts
  readonly resourceNames: ResourceNames
}

/**
 * Fields that decide what a Pod may do to others, or whose credentials it has. The image is not among them: to name it is
 * what many roles are for.
 */
const SINKS: ReadonlySet<string> = new Set([
  'allowPrivilegeEscalation',
  'automountServiceAccountToken',
  'capabilities',
  'command',
  'hostIPC',
  'hostNetwork',
  'hostPath',
  'hostPID',
  'privileged',
  'procMount',
  'serviceAccount',
  'serviceAccountName',
])

/** What flows from the resource. What is found out by comparing with it, or looked up by it, does not. */
const CHOSEN: Flow = FROM_CLUSTER
/** Of the metadata of a resource, what the server has checked is harmless. */
const HARMLESS = new Map(['name', 'namespace', 'uid', 'generation'].map((name) => [name, FROM_ROLE]))
const INPUT: Flow = { ...CHOSEN, fields: new Map([['metadata', { ...CHOSEN, fields: HARMLESS }]]) }

/** Which names of a role may hold what the author of the resource has chosen. */
export class ResourceNames {
  readonly #functions: FunctionTable
  readonly #names = new Set<string>()

  constructor({ vars, tasks, finalize = [] }: RoleDraft, functions: FunctionTable) {
    this.#functions = functions
    const given = [...Object.entries(vars), ...[...tasks, ...finalize].flatMap(namesGivenBy)]
    // A name may come of one that is given later: in a loop of includes, or in the other list.
    for (let before = -1; before < this.#names.size; ) {
      before = this.#names.size
      for (const [name, value] of given) if (this.reach(value)) this.#names.add(name)
    }
  }

  /** Whether something in the value comes from them, or from the resource itself. */
  reach(value: JsonValue | undefined): boolean {
    if (typeof value === 'string') return this.#reachText(value)
    if (isJsonArray(value)) return value.some((item) => this.reach(item))
    return isJsonObject(value) && Object.entries(value).some(([key, inner]) => this.reach(key) || this.reach(inner))
  }

  #reachText(text: string): boolean {
    try {
      return splitTemplate(text).some((part) => 'source' in part && this.#chooses(part.source))
    } catch {
      // What cannot be parsed is reported where it is compiled.
      return false
    }
  }

  #chooses(source: string): boolean {
    const variable = (name: string): Flow | undefined =>
      name === '$' ? INPUT : this.#names.has(name) ? CHOSEN : undefined
    const { value } = inferFlow(source, { functions: this.#functions, input: INPUT, variable })
    return worstOf(value).origin !== 'role'
  }
}

/** Names that a task gives to values, with them; those of tasks within it, too. */
function namesGivenBy(task: TaskDraft): readonly (readonly [string, JsonValue | undefined])[] {
  return withNested([task]).flatMap(({ kind, body, modifiers, files }) => {
    const { loop, loopVar } = modifiers
    const item = loop === undefined ? [] : [[typeof loopVar === 'string' ? loopVar : 'item', loop] as const]
    const { forLaterTasks = {}, forFiles = {} } = kind.names?.(body) ?? {}
    const within = [...files.values()].flatMap(({ tasks }) => tasks.flatMap(namesGivenBy))
    return [...item, ...Object.entries(forLaterTasks), ...Object.entries(forFiles), ...within]
  })
}

/** Warns where a resource chooses what a Pod may do: who may create it need not have the right to create such a Pod. */
export function warnOfSinks(value: JsonValue | undefined, path: JsonPath, check: SinkCheck): void {
  if (isJsonArray(value)) for (const [index, item] of value.entries()) warnOfSinks(item, [...path, index], check)
  if (!isJsonObject(value)) return
  for (const [key, inner] of Object.entries(value)) {
    const place = [...path, key]
    if (!SINKS.has(key) || !check.resourceNames.reach(decisiveOf(key, inner))) warnOfSinks(inner, place, check)
    else check.texts.report(place, chosen(key))
  }
}

/** Of a command all but values of options (`-m=${spec.megabytes}`), unless a shell reads it, to which everything is code. */
function decisiveOf(key: string, value: JsonValue | undefined): JsonValue | undefined {
  if (key !== 'command' || !isJsonArray(value) || value.some(isShell)) return value
  return value.filter((item, index) => index === 0 || typeof item !== 'string' || !/^-[^$]*=/.test(item))
}

function isShell(item: JsonValue): boolean {
  return typeof item === 'string' && /^(.*\/)?[a-z]*sh$/.test(item)
}

function chosen(field: string): Problem {
  const message = `the resource chooses \`${field}\`: every user who may create it gets the rights of such a Pod`
  const hint =
    'say it in the role or in `vars` of watches.yaml, or offer a choice: `${spec.mode = "safe" ? "web" : "admin"}`'
  return { severity: 'warning', code: 'RB1137', message, hint }
}
