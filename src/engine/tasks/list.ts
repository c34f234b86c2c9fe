import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import { type LabelRequirement, type LabelSelector, printLabelSelector } from '../../core/kube/label-selector.ts'
import type { Schema } from '../../core/schema/schema.ts'
import type { Template } from '../expression/compile-template.ts'
import { listOf } from '../expression/types/type.ts'
import { proposing } from '../role/parse/proposed-values.ts'
import type { TaskKind } from '../role/task-kind.ts'
import { TaskFailure } from '../role/task-outcome.ts'
import { checkName, isLiteralText, parseTarget, permissionFor, TARGET_FIELDS, type Target } from './target-object.ts'

interface CompiledList extends Target {
  readonly template: Template
  readonly literalSelector: LabelSelector
}

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist']

const REQUIREMENT: JsonObject = {
  type: ['object', 'string'],
  required: ['key', 'operator'],
  additionalProperties: false,
  properties: {
    key: { type: 'string' },
    operator: { type: 'string', ...proposing(OPERATORS) },
    values: { type: ['array', 'string'] },
  },
}

/** Reads objects, and runs the role again when one of them changes, comes or goes. */
export const list: TaskKind<CompiledList> = {
  name: 'list',
  doc: 'Reads objects, sorted by namespace and name.',
  example: `- name: Pods
  list:
    apiVersion: v1
    kind: Pod
    labels: { app: "\${metadata.name}" }
  register: pods
- name: Their names
  status:
    pods: \${[$pods.metadata.name]}
`,
  schema: {
    type: 'object',
    required: ['apiVersion', 'kind'],
    additionalProperties: false,
    properties: {
      apiVersion: { description: 'Group and version of the kind, without an expression.', type: 'string' },
      kind: { description: 'The kind, without an expression.', type: 'string' },
      namespace: {
        description:
          "The namespace to look in. Defaults to the resource's own; `*` is every namespace that may be read.",
        type: 'string',
      },
      labels: { description: 'Labels that the objects have, with these values.', type: ['object', 'string'] },
      selector: {
        description: 'A label selector (`matchLabels`, `matchExpressions`), in place of `labels`.',
        type: ['object', 'string'],
        additionalProperties: false,
        properties: {
          matchLabels: { description: 'Labels that the objects have, with these values.', type: ['object', 'string'] },
          matchExpressions: {
            description:
              'Requirements: a `key`, an `operator` (`In`, `NotIn`, `Exists`, `DoesNotExist`) and its `values`.',
            type: ['array', 'string'],
            items: REQUIREMENT,
          },
        },
      },
    },
  },
  modifiers: ['loop', 'register'],

  compile(body, context) {
    const { labels, selector } = body as JsonObject
    if (labels !== undefined && selector !== undefined) {
      context.report(['selector'], 'RB1406', '`labels` and `selector` are given', 'Write it all as a `selector`.')
    }
    const template = context.template([], { needsValue: () => true })
    return { ...parseTarget(body, context), template, literalSelector: literalPart(labels, selector) }
  },

  check(context) {
    context.fields(QUERY_FIELDS)
    context.kindIsServed()
    return listOf(context.objectType)
  },

  async run({ gvk, template, literalSelector }, context) {
    const body = template.render(context.scope) as JsonObject
    const { namespace } = body
    if (namespace !== undefined && namespace !== '*') checkName(namespace, 'namespace')
    const selector = selectorOf(body)
    checkSelector(selector)
    const objects = await context.objects.list({ gvk, namespace, selector, literalSelector })
    if (context.modifiers.sensitive) for (const object of objects) context.scope.secrecy.hideContent(object)
    return { kind: 'unchanged', value: objects as JsonValue }
  },

  permissions: (task) => [
    {
      ...permissionFor(task, 'read'),
      listed: true,
      namespace: task.namespace === '*' ? undefined : task.namespace,
    },
  ],
}

const STRING: Schema = { type: 'string' }
const LABELS: Schema = { type: 'object', additionalProperties: STRING }

/** What the fields of the body may hold once they are rendered. */
const QUERY_FIELDS: Schema = {
  type: 'object',
  properties: {
    ...TARGET_FIELDS.properties,
    labels: LABELS,
    selector: {
      type: 'object',
      properties: {
        matchLabels: LABELS,
        matchExpressions: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              key: STRING,
              operator: { type: 'string', enum: OPERATORS },
              values: { type: 'array', items: STRING },
            },
          },
        },
      },
    },
  },
}

/** The labels that are the same in every run. */
function literalPart(labels: JsonValue | undefined, selector: JsonValue | undefined): LabelSelector {
  const map = labels ?? (isJsonObject(selector) ? selector.matchLabels : undefined)
  if (!isJsonObject(map)) return {}
  const literal = Object.entries(map).filter(
    (entry): entry is [string, string] => isLiteralText(entry[0]) && isLiteralText(entry[1]),
  )
  return { matchLabels: Object.fromEntries(literal) }
}

function selectorOf({ labels, selector }: JsonObject): LabelSelector {
  if (labels !== undefined) return { matchLabels: textMap(labels, 'labels') }
  if (selector === undefined) return {}
  if (!isJsonObject(selector)) throw new TaskFailure('Invalid', '`selector` is not an object')
  const { matchLabels, matchExpressions, ...others } = selector
  const [unknown] = Object.keys(others)
  // Left out, it would select everything.
  if (unknown !== undefined) throw new TaskFailure('Invalid', `\`selector\` has no field "${unknown}"`)
  return {
    matchLabels: matchLabels === undefined ? undefined : textMap(matchLabels, 'selector.matchLabels'),
    matchExpressions: matchExpressions === undefined ? undefined : requirements(matchExpressions),
  }
}

function textMap(value: JsonValue, field: string): { readonly [key: string]: string } {
  if (!isJsonObject(value)) throw new TaskFailure('Invalid', `\`${field}\` is not an object`)
  const wrong = Object.keys(value).find((key) => typeof value[key] !== 'string')
  if (wrong !== undefined) throw new TaskFailure('Invalid', `the value of label "${wrong}" is not text`)
  return value as { readonly [key: string]: string }
}

function requirements(value: JsonValue): readonly LabelRequirement[] {
  if (!isJsonArray(value)) throw new TaskFailure('Invalid', '`selector.matchExpressions` is not a list')
  return value.map((item) => {
    const isRequirement =
      isJsonObject(item) && typeof item.key === 'string' && OPERATORS.includes(item.operator as string)
    if (!isRequirement) throw new TaskFailure('Invalid', 'an item of `selector.matchExpressions` is not a requirement')
    const { key, values = [] } = item
    const isTexts = isJsonArray(values) && values.every((one) => typeof one === 'string')
    if (!isTexts) throw new TaskFailure('Invalid', `the values of label "${key}" are not a list of texts`)
    return item as LabelRequirement
  })
}

/** Labels may be made of what stands in a resource. @throws TaskFailure for what no label can be */
function checkSelector(selector: LabelSelector): void {
  try {
    printLabelSelector(selector)
  } catch (error) {
    throw new TaskFailure('Invalid', (error as Error).message)
  }
}
