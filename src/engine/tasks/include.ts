import { isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import { ANY } from '../expression/types/type.ts'
import { outcomeOfList } from '../role/run/outcome-of-list.ts'
import type { GivenVariable, TaskKind, TaskList } from '../role/task-kind.ts'

interface CompiledInclude {
  readonly tasks: TaskList
  readonly variables: readonly GivenVariable[]
}

/** Runs the tasks of another file of the role, in a scope of their own. */
export const include: TaskKind<CompiledInclude> = {
  name: 'include',
  doc: 'Runs the tasks of another file of the role; they see its variables and `vars`, and nothing that they name is visible after it.',
  example: `- name: A settings map for each port
  loop: \${spec.ports}
  include:
    tasks: tasks/settings.yaml
    vars: { port: "\${$item}" }
`,
  exampleFiles: {
    'tasks/settings.yaml': `- name: Settings
  ensure:
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: "\${metadata.name}-\${$port}" }
    data: { port: "\${$string($port)}" }
`,
  },
  schema: {
    type: 'object',
    required: ['tasks'],
    additionalProperties: false,
    properties: {
      tasks: {
        description: 'The path of a file that holds a list of tasks, below the folder of the role.',
        type: 'string',
      },
      vars: { description: 'Names to values, for these tasks alone.', type: 'object' },
    },
  },
  foreignTemplates: 'variables',
  modifiers: ['loop'],
  files: ['tasks'],

  compile(body, context) {
    const variables = Object.keys(varsOf(body)).map((name) => {
      const path = ['vars', name]
      return { name, path, value: context.template(path, { base: path }) }
    })
    return { variables, tasks: context.include('tasks', variables) }
  },

  check(context) {
    const variables = Object.keys(varsOf(context.body)).map((name) => {
      const path = ['vars', name]
      return { name, path, type: context.value(path) }
    })
    context.include('tasks', variables)
    return ANY
  },

  names: (body) => ({ forFiles: varsOf(body) }),

  async run({ tasks, variables }, context) {
    const scope = context.scope.base.child(context.scope.tracer)
    for (const { name, value } of variables) {
      // What came from the cluster stays so under its new name: where it is missing, tasks wait for it.
      const isRegistered = [...value.variables].some((variable) => context.scope.isRegistered(variable))
      if (isRegistered) scope.register(name, value.render(context.scope))
      else scope.set(name, value.render(context.scope))
    }
    return outcomeOfList(await tasks.run({ ...context, scope }))
  },

  permissions: ({ tasks }) => tasks.permissions,
}

function varsOf(body: JsonValue): JsonObject {
  const { vars } = body as { readonly vars?: JsonValue }
  return isJsonObject(vars) ? vars : {}
}
