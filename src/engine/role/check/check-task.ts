import type { JsonObject, JsonValue } from '../../../core/base/json.ts'
import type { Schema } from '../../../core/schema/schema.ts'
import { ANY, itemsOf, listOf, NUMBER, optional, type Type } from '../../expression/types/type.ts'
import type { TaskDraft } from '../parse/draft-tasks.ts'
import { checkCondition } from './check-condition.ts'
import { checkHandOver } from './check-hand-over.ts'
import { checkLoop } from './check-loop.ts'
import { checkManifest } from './check-manifest.ts'
import { warnOfComputedName } from './check-name.ts'
import { warnOfUnreachable } from './check-reach.ts'
import { warnOfSameNames } from './check-task-names.ts'
import { type RoleCheck, TaskCheck } from './task-check.ts'
import type { TypeScope } from './type-scope.ts'
import type { TypedTexts } from './typed-texts.ts'

export function checkTasks(tasks: readonly TaskDraft[], scope: TypeScope, check: RoleCheck): void {
  warnOfUnreachable(tasks, check.texts)
  warnOfSameNames(tasks, check.texts)
  for (const task of tasks) checkTask(task, scope, check)
}

function checkTask(draft: TaskDraft, around: TypeScope, check: RoleCheck): void {
  const { kind, modifiers, path } = draft
  const { texts } = check
  warnOfComputedName(draft, texts)
  const scope = modifiers.loop === undefined ? around : loopScope(draft, around, texts)
  checkCondition(modifiers.when, { path: [...path, 'when'], scope }, texts)
  texts.guard(modifiers.when as JsonValue | undefined)
  const task = new TaskCheck(draft, { scope, check, checkTasks })
  const result = kind.check ? kind.check(task) : checkAnything(task)
  task.foreignSyntax()
  checkCondition(modifiers.waitReady, { path: [...path, 'waitReady'], scope }, texts)
  if (modifiers.readyWhen !== undefined)
    checkCondition(modifiers.readyWhen, { path: [...path, 'readyWhen'], scope: scope.nested({ self: result }) }, texts)
  checkModifier('timeout', STRING, { draft, scope, check })
  checkModifier('handOver', ANYTHING, { draft, scope, check })
  checkHandOver(modifiers.handOver as JsonValue | undefined, [...path, 'handOver'], { schema: task.schema, texts })
  if (typeof modifiers.register === 'string') around.set(modifiers.register, registered(result, modifiers))
}

/** The expressions of a kind that has no checks of its own. */
function checkAnything(task: TaskCheck): Type {
  task.value()
  for (const field of task.lists) task.tasks(field, {})
  return ANY
}

interface Checked {
  readonly draft: TaskDraft
  readonly scope: TypeScope
  readonly check: RoleCheck
}

const STRING: Schema = { type: 'string' }
const ANYTHING: Schema = { 'x-kubernetes-preserve-unknown-fields': true }

/** A modifier that yields a value which a schema describes. */
function checkModifier(name: string, schema: Schema, { draft, scope, check }: Checked): void {
  const path = [...draft.path, name]
  const options = { texts: check.texts, scope, complete: false, root: undefined, base: path }
  checkManifest(draft.modifiers[name], schema, path, options)
}

function registered(result: Type, { loop, when }: JsonObject): Type {
  const type = loop === undefined ? result : listOf(itemsOf(result))
  return when === undefined || loop !== undefined ? type : optional(type)
}

function loopScope({ modifiers, path }: TaskDraft, around: TypeScope, texts: TypedTexts): TypeScope {
  const place = { path: [...path, 'loop'], scope: around }
  const before = texts.diagnostics.length
  const type = texts.value(modifiers.loop, place)
  // The type of what is wrong in itself says nothing.
  if (texts.diagnostics.length === before) checkLoop(modifiers, type, { ...place, texts })
  const name = typeof modifiers.loopVar === 'string' ? modifiers.loopVar : 'item'
  return around.nested({ [name]: itemsOf(type), index: NUMBER })
}
