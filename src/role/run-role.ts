import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/logger.ts'
import type { KubeObject } from '../kube/object.ts'
import { Breather } from './breather.ts'
import type { Role } from './role.ts'
import { roleInput } from './role-input.ts'
import type { ObjectPort, StatusPort } from './run-context.ts'
import { runTask, type TaskRunContext } from './run-task.ts'
import { Scope } from './scope.ts'
import type { FailedOutcome, RunOutcome, TaskOutcome, WaitingOutcome } from './task-outcome.ts'
import { toFailedOutcome } from './to-failed-outcome.ts'

/** The world as one run sees it, made anew for each run. */
export interface RunPorts {
  /** As the server has it; expressions see `roleInput` of it. */
  readonly resource: KubeObject
  readonly objects: ObjectPort
  readonly status: StatusPort
  readonly clock: Clock
  readonly logger: Logger
  readonly signal: AbortSignal
}

/**
 * One pass over a role for one resource: variables, then tasks from top to bottom until one waits or fails.
 *
 * Never rejects for what a role or a server does wrong: that is an outcome. Rejects with the signal's reason when aborted.
 */
export async function runRole(role: Role, ports: RunPorts): Promise<RunOutcome> {
  const scope = new Scope(roleInput(ports.resource))
  scope.set('watch', role.watch)
  const tasks: RunOutcome['tasks'][number][] = []
  const brokenVariable = setVariables(role, scope)
  if (brokenVariable) return { complete: false, stoppedBy: brokenVariable, tasks }

  const context = contextOf(scope, ports)
  for (const task of role.tasks) {
    const outcome = await runTask(task, context)
    tasks.push({ task: task.name, kind: outcome.kind })
    if (stops(outcome)) return { complete: false, stoppedBy: { task: task.name, outcome }, tasks }
  }
  return { complete: true, tasks }
}

function contextOf(scope: Scope, { objects, status, clock, logger, signal }: RunPorts): TaskRunContext {
  return { scope, objects, status, clock, logger, signal, breather: new Breather(clock) }
}

function setVariables(role: Role, scope: Scope): RunOutcome['stoppedBy'] {
  for (const { name, value } of role.vars) {
    try {
      scope.set(name, value.render(scope))
    } catch (error) {
      return { task: `vars.${name}`, outcome: toFailedOutcome(error) }
    }
  }
  return undefined
}

function stops(outcome: TaskOutcome): outcome is WaitingOutcome | FailedOutcome {
  return outcome.kind === 'waiting' || outcome.kind === 'failed'
}
