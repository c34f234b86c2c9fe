import { ANY, record, TEXT } from '../expression/types/type.ts'
import type { TaskOrder } from '../role/graph/task-graph-types.ts'
import { ORDER, TASKS } from '../role/parse/modifier-schemas.ts'
import { outcomeOfList } from '../role/run/outcome-of-list.ts'
import type { RunContext } from '../role/run/run-context.ts'
import type { TaskKind, TaskList } from '../role/task-kind.ts'
import type { FailedOutcome, Stop, TaskOutcome } from '../role/task-outcome.ts'

interface CompiledBlock {
  readonly tasks: TaskList
  readonly rescue: TaskList | undefined
}

/** A group of tasks, with others for when one of them fails for good. */
export const block: TaskKind<CompiledBlock> = {
  name: 'block',
  doc: 'A group of tasks; `rescue` runs when one of them fails for good, and knows why as `$failure`.',
  example: `- name: Settings and what needs them
  block:
    tasks:
      - name: Ports are given
        assert:
          that: ["\${$exists(spec.ports)}"]
          message: spec.ports is missing
      - name: Settings
        ensure:
          apiVersion: v1
          kind: ConfigMap
          metadata: { name: "\${metadata.name}" }
          data: { ports: "\${$toJson(spec.ports)}" }
    rescue:
      - name: What is wrong
        status:
          problem: \${$failure.task} failed, \${$failure.message}
`,
  schema: {
    type: 'object',
    required: ['tasks'],
    additionalProperties: false,
    properties: {
      tasks: { description: 'The tasks of the group.', ...TASKS },
      rescue: {
        description: 'Tasks for when one of them failed for good; they see `$failure`: `task`, `reason`, `message`.',
        ...TASKS,
      },
      order: ORDER,
    },
  },
  modifiers: ['loop'],
  lists: ['tasks', 'rescue'],

  compile(body, context) {
    const { rescue, order } = body as { readonly rescue?: unknown; readonly order?: TaskOrder }
    const rescueRules = { isolated: true, variables: ['failure'], order }
    return {
      tasks: context.tasks('tasks', { order }),
      rescue: rescue === undefined ? undefined : context.tasks('rescue', rescueRules),
    }
  },

  check(context) {
    // Names that a block gives are visible after it, unless it loops: then its scope is that of an item.
    context.tasks('tasks')
    context.tasks('rescue', { failure: record({ task: TEXT, reason: TEXT, message: TEXT }) })
    return ANY
  },

  async run({ tasks, rescue }, context) {
    const outcome = await tasks.run(context)
    const { stoppedBy, others = [] } = outcome
    const failure = stoppedBy && [stoppedBy, ...others].find(isTerminal)
    return rescue && failure ? runRescue(rescue, failure, context) : outcomeOfList(outcome)
  },

  permissions: ({ tasks, rescue }) => [...tasks.permissions, ...(rescue?.permissions ?? [])],
}

async function runRescue(rescue: TaskList, failure: Stop<FailedOutcome>, context: RunContext): Promise<TaskOutcome> {
  const { task, outcome } = failure
  const scope = context.scope.child()
  scope.set('failure', Object.freeze({ task, reason: outcome.reason, message: outcome.error.message }))
  const rescued = outcomeOfList(await rescue.run({ ...context, scope }))
  return rescued.kind === 'changed' || rescued.kind === 'unchanged' ? { ...rescued, rescued: failure } : rescued
}

/** What fails for now is tried again, and needs no rescue. */
function isTerminal(stop: Stop): stop is Stop<FailedOutcome> {
  return stop.outcome.kind === 'failed' && !stop.outcome.retriable
}
