import type { JsonObject, JsonValue } from '../../core/base/json.ts'
import { formatKey } from '../../core/kube/object.ts'
import type { Template } from '../expression/compile-template.ts'
import { optional } from '../expression/types/type.ts'
import type { TaskKind } from '../role/task-kind.ts'
import { checkName, parseTarget, permissionFor, TARGET_FIELDS, type Target, useOf } from './target-object.ts'

interface CompiledGet extends Target {
  readonly template: Template
  readonly isOptional: boolean
}

/** Reads one object, and runs the role again when it changes. */
export const get: TaskKind<CompiledGet> = {
  name: 'get',
  doc: 'Reads one object; waits for it, unless it is optional.',
  example: `- name: The certificate, if there is one
  get:
    apiVersion: v1
    kind: Secret
    name: \${metadata.name}-tls
    optional: true
  register: certificate
- name: Is it encrypted?
  status:
    encrypted: \${$exists($certificate)}
`,
  schema: {
    type: 'object',
    required: ['apiVersion', 'kind', 'name'],
    additionalProperties: false,
    properties: {
      apiVersion: { description: 'Group and version of the kind, without an expression.', type: 'string' },
      kind: { description: 'The kind, without an expression.', type: 'string' },
      name: { description: 'The name of the object.', type: 'string' },
      namespace: { description: "The namespace of the object. Defaults to the resource's own.", type: 'string' },
      optional: {
        description: 'An object that is not there registers nothing, and the task does not wait for it.',
        default: false,
        type: 'boolean',
      },
    },
  },
  modifiers: ['loop', 'register'],

  compile(body, context) {
    const template = context.template([], { needsValue: () => true })
    const { optional: isOptional = false } = body as { readonly optional?: boolean }
    return { ...parseTarget(body, context), template, isOptional }
  },

  check(context) {
    context.fields(TARGET_FIELDS, ['optional'])
    context.kindIsServed()
    return context.body.optional === true ? optional(context.objectType) : context.objectType
  },

  async run({ gvk, template, isOptional }, context) {
    const { name, namespace } = template.render(context.scope) as JsonObject
    checkName(name, 'name', gvk)
    if (namespace !== undefined) checkName(namespace, 'namespace')
    const object = await context.objects.get({ gvk, name, namespace })
    if (object && context.modifiers.sensitive) context.scope.secrecy.hideContent(object)
    if (object) return { kind: 'unchanged', value: object as JsonValue }
    if (isOptional) return { kind: 'unchanged' }
    const key = await context.objects.locate({ gvk, name, namespace })
    return { kind: 'waiting', reason: `${gvk.kind} ${formatKey(key)} does not exist` }
  },

  permissions: (task) => [permissionFor(task, 'read')],
  uses: (task) => [useOf(task, 'read')],
}
