import { Slots } from '../../../core/base/slots.ts'
import { RunBudget } from '../../expression/compile/run-budget.ts'
import type { Role, TaskSequence } from '../role.ts'
import type { RunOutcome } from '../task-outcome.ts'
import { EventLoopYield } from './event-loop-yield.ts'
import { LongTurnNeeded } from './long-turn-needed.ts'
import { roleInput } from './role-input.ts'
import type { RunPorts } from './run-ports.ts'
import { runAfterFailure, runTasks, TASKS_AT_ONCE, type TaskRunContext } from './run-tasks.ts'
import { Scope, type ScopeTools } from './scope.ts'
import { toFailedOutcome } from './to-failed-outcome.ts'

/**
 * One pass over a role for one resource: variables, then the tasks that nothing holds up; after a failure, tasks that only
 * report. `list` says which tasks. A failure that was rescued leaves a run incomplete, but does not keep a resource that goes.
 *
 * Never rejects for what a role or a server does wrong: that is an outcome. Rejects with the signal's reason when aborted, and
 * with `LongTurnNeeded` when it is short and would compute for long.
 */
export async function runRole(role: Role, ports: RunPorts, list: 'tasks' | 'finalize' = 'tasks'): Promise<RunOutcome> {
  const { resource, secrecy, tracer } = ports
  const runBudget = ports.isShort ? RunBudget.short(() => new LongTurnNeeded()) : new RunBudget()
  const tools = { secrecy, meter: meterOf(ports), tracer, runBudget }
  const scope = new Scope(roleInput(resource), undefined, tools)
  scope.set('watch', role.watch)
  const brokenVariable = setVariables(role, scope)
  if (brokenVariable) return { complete: false, stoppedBy: brokenVariable, tasks: [] }
  const given: TaskSequence = list === 'tasks' ? role : { tasks: role.finalize ?? [] }
  const context = contextOf(scope.child(), ports, runBudget)
  const { stoppedBy, others, rescued, tasks } = await runTasks(given, context)
  const isInOrder = given.graph === undefined
  if (isInOrder && stoppedBy?.outcome.kind === 'failed') {
    await runAfterFailure(given.tasks.slice(tasks.length - 1), context)
  }
  const incomplete = stoppedBy ?? (list === 'tasks' ? rescued : undefined)
  return incomplete ? { complete: false, stoppedBy: incomplete, others, tasks } : { complete: true, tasks }
}

function meterOf({ clock, observer }: RunPorts): ScopeTools['meter'] {
  if (!observer) return undefined
  return { now: () => clock.monotonic(), evaluated: (milliseconds) => observer.evaluated(milliseconds) }
}

function contextOf(scope: Scope, { resource: _resource, ...ports }: RunPorts, budget: RunBudget): TaskRunContext {
  const eventLoop = new EventLoopYield(ports.clock, budget)
  return { scope, ...ports, eventLoop, slots: new Slots(TASKS_AT_ONCE), place: '' }
}

function setVariables(role: Role, scope: Scope): RunOutcome['stoppedBy'] {
  for (const { name, value, written } of role.vars) {
    try {
      scope.set(name, value.render(scope))
    } catch (error) {
      return { task: `vars.${name}`, outcome: { ...toFailedOutcome(error), place: written } }
    }
  }
  return undefined
}
