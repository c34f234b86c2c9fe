import { isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { nearestName } from '../../../core/base/nearest-name.ts'
import { gvkOf } from '../../../core/kube/group-version-kind.ts'
import { isBuiltin } from '../../../core/schema/schema.ts'
import { mayBeEqual } from '../graph/object-use.ts'
import type { KindSchemas } from '../kind-schemas.ts'
import { type TaskDraft, withNested } from '../parse/draft-tasks.ts'
import type { RoleDraft } from '../parse/parse-role.ts'
import type { TypedTexts } from './typed-texts.ts'

const TEMPLATE: JsonPath = ['spec', 'template', 'metadata', 'labels']
/** Where the labels of the Pods stand that a kind makes. */
const POD_LABELS: ReadonlyMap<string, JsonPath> = new Map<string, JsonPath>([
  ['apps/v1 Deployment', TEMPLATE],
  ['apps/v1 StatefulSet', TEMPLATE],
  ['apps/v1 DaemonSet', TEMPLATE],
  ['apps/v1 ReplicaSet', TEMPLATE],
  ['batch/v1 Job', TEMPLATE],
  ['batch/v1 CronJob', ['spec', 'jobTemplate', ...TEMPLATE]],
  ['v1 Pod', ['metadata', 'labels']],
])

/**
 * Warns of a Service whose selector fits the Pods of no workload of the role, and asks for a value that they have as another label. Any
 * other selector may mean Pods of others. So it is where Pods may come from elsewhere: from a chart, from an object of a kind that is not
 * built in, from a manifest or labels that are not written in the role.
 */
export function warnOfSelectors(draft: RoleDraft, schemas: KindSchemas, texts: TypedTexts): void {
  const own = withNested(draft.tasks)
  const all = withIncluded(own)
  if (all.some((task) => mayMakeOtherPods(task, schemas))) return
  const values = namedValues(draft, all)
  const pods = all.flatMap((task) => podsOf(task, values))
  for (const task of own) {
    const { body, path, kind } = task
    if (madeKind(task) !== 'v1 Service' || !isJsonObject(body) || !isJsonObject(body.spec)) continue
    const selector = resolved(body.spec.selector, values)
    if (!isPlainMap(selector) || Object.keys(selector).length === 0) continue
    const near = pods.filter(({ namespace }) => mayBeSame(namespace, namespaceOf(body)))
    if (near.some(({ labels }) => mayBeSelected(labels, selector))) continue
    const found = mistakeIn(selector, near)
    if (found) texts.report([...path, kind.name, 'spec', 'selector', found.key], problemWith(found))
  }
}

interface Mistake {
  readonly key: string
  readonly value: string
  /** The label that has the value. */
  readonly meant: string
}

/** A computed value that Pods of the role have as another label. What looks like a misspelt key is found when the role is tried. */
function mistakeIn(selector: JsonObject, pods: readonly Pods[]): Mistake | undefined {
  for (const [key, value] of Object.entries(selector)) {
    if (typeof value !== 'string' || !value.includes('${')) continue
    const labels = pods.flatMap((one) => Object.entries(isJsonObject(one.labels) ? one.labels : {}))
    const [meant] = labels.find(([name, label]) => name !== key && label === value) ?? []
    if (meant !== undefined && nearestName(key, [meant]) === undefined) return { key, value, meant }
  }
  return undefined
}

interface Pods {
  readonly labels: JsonValue | undefined
  readonly namespace: JsonValue | undefined
}

function withIncluded(tasks: readonly TaskDraft[]): readonly TaskDraft[] {
  return tasks.flatMap((task) => [
    task,
    ...[...task.files.values()].flatMap((file) => withIncluded(withNested(file.tasks))),
  ])
}

function mayMakeOtherPods(task: TaskDraft, schemas: KindSchemas): boolean {
  if (task.kind.objectsIn !== undefined) return true
  const kind = kindIn(task)
  // What is patched may be a label.
  if (!makesObjects(task)) return kind !== undefined && POD_LABELS.has(kind)
  const { apiVersion, kind: name } = task.body as JsonObject
  const schema = kind === undefined ? undefined : schemas.get(gvkOf({ apiVersion, kind: name } as TypeMeta))
  return schema === undefined || !isBuiltin(schema)
}

interface TypeMeta {
  readonly apiVersion: string
  readonly kind: string
}

function makesObjects({ kind }: TaskDraft): boolean {
  return kind.modifiers.includes('adopt')
}

/** `apps/v1 Deployment`, of a task whose body is that of an object. */
function kindIn({ body }: TaskDraft): string | undefined {
  if (!isJsonObject(body)) return undefined
  const { apiVersion, kind } = body
  return typeof apiVersion === 'string' && typeof kind === 'string' ? `${apiVersion} ${kind}` : undefined
}

function madeKind(task: TaskDraft): string | undefined {
  return makesObjects(task) ? kindIn(task) : undefined
}

function podsOf(task: TaskDraft, values: ReadonlyMap<string, JsonValue>): readonly Pods[] {
  const path = POD_LABELS.get(madeKind(task) ?? '')
  if (path === undefined || !isJsonObject(task.body)) return []
  let labels: JsonValue | undefined = task.body
  for (const step of path) labels = isJsonObject(labels) ? resolved(labels[step], values) : UNKNOWN
  return [{ labels, namespace: namespaceOf(task.body) }]
}

/** What is not a map stands for anything. */
const UNKNOWN: JsonValue = '${…}'

function namespaceOf({ metadata }: JsonObject): JsonValue | undefined {
  return isJsonObject(metadata) ? metadata.namespace : UNKNOWN
}

/** What `set` and the like give a name, as it is written: of names that nothing else gives. */
function namedValues({ vars }: RoleDraft, tasks: readonly TaskDraft[]): ReadonlyMap<string, JsonValue> {
  const given = tasks.flatMap(({ kind, body }) => {
    const { forLaterTasks = {}, forFiles = {} } = kind.names?.(body) ?? {}
    return [...Object.entries(forLaterTasks), ...Object.keys(forFiles).map((name) => [name, UNKNOWN] as const)]
  })
  // An entry of watches.yaml may replace variables of the role.
  const all = [...Object.keys(vars).map((name) => [name, UNKNOWN] as const), ...given]
  const byName = Map.groupBy(all, ([name]) => name)
  return new Map([...byName].map(([name, values]) => [name, (values.length === 1 && values[0]?.[1]) || UNKNOWN]))
}

/** The value of a variable in place of an expression that is nothing else. */
function resolved(value: JsonValue | undefined, values: ReadonlyMap<string, JsonValue>): JsonValue | undefined {
  const name = typeof value === 'string' ? /^\$\{\s*\$(\w+)\s*\}$/.exec(value)?.[1] : undefined
  return name === undefined ? value : (values.get(name) ?? value)
}

function isPlainMap(value: JsonValue | undefined): value is JsonObject {
  return isJsonObject(value) && !Object.keys(value).some((key) => key.includes('${'))
}

function mayBeSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return left === undefined || right === undefined || mayBeEqual(String(left), String(right), true)
}

function mayBeSelected(labels: JsonValue | undefined, selector: JsonObject): boolean {
  if (labels !== undefined && !isPlainMap(labels)) return true
  return Object.entries(selector).every(([key, value]) => {
    const label = labels?.[key]
    return label !== undefined && mayBeSame(label, value)
  })
}

function problemWith({ key, value, meant }: Mistake) {
  const message = `no Pod of the role has the label \`${key}: ${value}\`: the selector selects none`
  return { severity: 'warning', code: 'RB1139', message, hint: `the Pods have \`${meant}: ${value}\`` } as const
}
