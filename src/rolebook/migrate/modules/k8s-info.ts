import { isJsonArray, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { NewTask } from '../new-task.ts'
import { shapeOfType } from '../shape.ts'
import type { TaskContext } from '../task-context.ts'
import { Undecided } from '../undecided.ts'
import type { Modifiers, Module } from './module.ts'
import { waitUntil } from './wait-until.ts'

/** `kubernetes.core.k8s_info`: one object by its name, or those with labels. */
export const k8sInfo: Module = {
  names: ['k8s_info', 'k8s_facts'],
  collections: ['kubernetes.core', 'community.kubernetes'],
  translate(parameters, modifiers, context) {
    const kind = parameters.literal('kind')
    if (kind === undefined) throw new Undecided('RB1704', 'no `kind` is given')
    const apiVersion = parameters.literal('api_version', 'api', 'version') ?? 'v1'
    const name = parameters.value('name')
    const namespace = parameters.value('namespace')
    const labels = labelsOf(parameters.value('label_selectors'))
    if (parameters.flag('wait'))
      throw new Undecided('RB1704', '`wait` reads until something is so', { hint: 'add a `wait` task' })
    parameters.ignore('wait_timeout', 'wait_sleep', 'wait')
    parameters.end()
    const target = { apiVersion, kind }
    const read =
      name === undefined
        ? { list: { ...target, ...listNamespace(namespace, context), ...labels } }
        : { get: { ...target, name, ...(namespace === undefined ? {} : { namespace }), optional: true } }
    return readTasks(read, modifiers, context)
  },
}

function readTasks(read: JsonObject, modifiers: Modifiers, context: TaskContext): readonly NewTask[] {
  const { name, fields, register, until } = modifiers
  const named = name === undefined ? {} : { name }
  if (register === undefined) return [{ fields: { ...named, ...fields, ...read } }]
  const one = read.get !== undefined
  const form = context.looped ? 'opaque' : one ? 'object' : 'objects'
  const variable = context.names.define(register, { shape: shapeOfType(one ? 'map' : 'list'), optional: one, form })
  const task: NewTask = { fields: { ...named, ...fields, ...read, register: variable.name } }
  return until ? [task, waitUntil(until, modifiers, context)] : [task]
}

/** Without a namespace Ansible looks into all of them. */
function listNamespace(namespace: JsonValue | undefined, { names }: TaskContext): JsonObject {
  if (namespace === '${metadata.namespace}') return {}
  if (namespace !== undefined) return { namespace }
  names.note(
    'all namespaces are read, as before: `allowedNamespaces` of the entry in watches.yaml must allow `read: ["*"]`',
  )
  return { namespace: '*' }
}

/** `app=web` and `tier` to what `list` takes. */
function labelsOf(value: JsonValue | undefined): JsonObject {
  if (value === undefined) return {}
  const texts = isJsonArray(value) ? value : [value]
  const labels: Record<string, string> = {}
  for (const text of texts.flatMap((one) => String(one).split(/,(?![^(]*\))(?![^{]*\})/))) {
    const [, key, label] = /^\s*([^\s=!(]+?)\s*={1,2}\s*(\S.*?)\s*$/.exec(text) ?? []
    if (key === undefined || label === undefined) {
      const hint = 'write `selector` with `matchExpressions`'
      throw new Undecided('RB1704', `the label selector \`${text.trim()}\` is not an equality`, { hint })
    }
    labels[key] = label
  }
  return { labels }
}
