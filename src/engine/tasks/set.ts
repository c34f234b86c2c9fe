import type { JsonObject } from '../../core/base/json.ts'
import type { Template } from '../expression/compile-template.ts'
import { ANY } from '../expression/types/type.ts'
import type { TaskKind } from '../role/task-kind.ts'

type Variables = readonly { readonly name: string; readonly value: Template }[]

/** Gives names to values, for later tasks. */
export const set: TaskKind<Variables> = {
  name: 'set',
  doc: 'Names to values, top to bottom: variables for later tasks.',
  example: `- name: Names
  set:
    labels: { app: "\${metadata.name}" }
    host: \${metadata.name}.example.com
- name: Settings
  ensure:
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: "\${metadata.name}", labels: "\${$labels}" }
    data: { host: "\${$host}" }
`,
  schema: { type: 'object', minProperties: 1 },
  foreignTemplates: 'variables',
  modifiers: [],

  compile(body, context) {
    return Object.keys(body as object).map((name) => {
      const value = context.template([name], { base: ['set', name] })
      context.define(name, [name])
      return { name, value }
    })
  },

  check(context) {
    for (const name of Object.keys(context.body)) context.define(name, context.value([name]))
    return ANY
  },

  names: (body) => ({ forLaterTasks: body as JsonObject }),

  async run(variables, { scope }) {
    for (const { name, value } of variables) {
      // What came from the cluster stays so under its new name: where it is missing, later tasks wait for it.
      const isRegistered = [...value.variables].some((variable) => scope.isRegistered(variable))
      if (isRegistered) scope.register(name, value.render(scope))
      else scope.set(name, value.render(scope))
    }
    return { kind: 'unchanged' }
  },

  permissions: () => [],
}
