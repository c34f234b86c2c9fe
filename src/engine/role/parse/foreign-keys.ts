import { getPath, isJsonArray, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import type { SchemaProblem } from '../../../core/yaml/check-schema.ts'
import type { Problem } from '../../../core/yaml/diagnostic.ts'
import { misplacedKeyHint } from './misplaced-modifiers.ts'

/** What the keys of a task of Ansible are here. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ...['k8s', 'kubernetes.core.k8s', 'community.kubernetes.k8s', 'operator_sdk.util.k8s'].map(
    (key) => [key, '`ensure` makes an object: the manifest stands below it'] as const,
  ),
  ...['k8s_info', 'kubernetes.core.k8s_info', 'community.kubernetes.k8s_info'].map(
    (key) => [key, '`get` reads one object, `list` reads several'] as const,
  ),
  ...['k8s_status', 'operator_sdk.util.k8s_status'].map((key) => [key, '`status` sets fields of the status'] as const),
  ...['set_fact', 'ansible.builtin.set_fact'].map((key) => [key, '`set` gives values a name'] as const),
  ...['include_tasks', 'import_tasks', 'include_role', 'import_role'].map(
    (key) => [key, '`include: { tasks: tasks/some.yaml }` runs a file of tasks'] as const,
  ),
  ...['debug', 'ansible.builtin.debug'].map((key) => [key, '`event` writes an event for people'] as const),
])
const MODIFIERS: ReadonlyMap<string, string> = new Map([
  ...['if', 'condition', 'only_if', 'onlyIf', 'includeWhen'].map((key) => [key, 'it is called `when` here'] as const),
  ...['foreach', 'forEach', 'for_each', 'for'].map((key) => [key, 'it is called `loop` here'] as const),
  ...['dependsOn', 'depends_on', 'needs'].map(
    (key) => [key, 'it is called `after` here: a list of names of tasks'] as const,
  ),
  ['with_items', 'it is called `loop` here: `loop: ${spec.items}`'],
  ['with_dict', 'it is called `loop` here: `loop: ${$entries(spec.map)}`'],
  ['with_list', 'it is called `loop` here: `loop: ${spec.items}`'],
  ['loop_control', '`loopVar` names the item of a loop'],
  ['vars', 'give values a name by `set`, in a task above, or by `vars` of the role'],
  ['until', '`waitReady` waits until an object is ready, a task `wait` until a condition holds'],
  ['retries', '`timeout` says how long `waitReady` waits'],
  ['delay', '`timeout` says how long `waitReady` waits'],
  ['ignore_errors', 'a `block` has `rescue`: tasks for when one of it has failed'],
  ['failed_when', 'a task `fail` or `assert` fails by a condition'],
  ['notify', 'there are no handlers: a task runs again when what it depends on changes'],
  ['become', 'remove it: every task runs with the rights of the operator'],
  ['no_log', 'it is called `sensitive` here'],
  ['delegate_to', 'remove it: tasks talk to the cluster alone'],
  ['tags', 'remove it: `when` says whether a task runs'],
  ['changed_when', 'remove it: what has changed is known from the objects'],
])

/** The problems of a document of tasks, with hints for what people write who come from other tools. */
export function withForeignHints(problems: readonly SchemaProblem[], document: JsonValue): readonly SchemaProblem[] {
  const replaced = new Set(problems.filter(isForeignKind).map(({ path }) => JSON.stringify(path.slice(0, -1))))
  return problems
    .filter(({ problem, path }) => problem.code !== 'RB1021' || !replaced.has(JSON.stringify(path)))
    .map((one) => withHint(one, hintFor(one, document)))
}

function withHint(one: SchemaProblem, hint: string | undefined): SchemaProblem {
  return hint === undefined ? one : { ...one, problem: { ...one.problem, hint } }
}

function isForeignKind({ problem, path }: SchemaProblem): boolean {
  return isUnknownKeyOfTask(problem, path) && KINDS.has(String(path.at(-1)))
}

/** A task is an item of a list. */
function isUnknownKeyOfTask({ code }: Problem, path: JsonPath): boolean {
  return code === 'RB1020' && typeof path.at(-2) === 'number'
}

function hintFor({ problem, path }: SchemaProblem, document: JsonValue): string | undefined {
  const key = String(path.at(-1))
  if (isUnknownKeyOfTask(problem, path)) return KINDS.get(key) ?? MODIFIERS.get(key)
  if (problem.code === 'RB1020' && typeof path.at(-3) === 'number') return misplacedKeyHint(key, String(path.at(-2)))
  if (problem.code !== 'RB1022') return undefined
  const value = getPath(document, path)
  if (path.length === 0) return isJsonArray(value) ? 'begin with `tasks:`, and put the list below it' : undefined
  if (typeof path.at(-2) !== 'number') return undefined
  return hintForValue(key, value)
}

function hintForValue(key: string, value: JsonValue | undefined): string | undefined {
  if (key === 'when' && isJsonArray(value)) return 'join conditions by `and`: `when: ${spec.a and spec.b}`'
  if (key === 'timeout' && typeof value === 'number') return `write "${value}s"`
  if (key === 'after' && typeof value === 'string') return `write ["${value}"]`
  if (key === 'ensure' && isJsonArray(value)) return 'one task makes one object: write a task for each, or use `loop`'
  return undefined
}
