import type { JsonObject } from '../../core/base/json.ts'
import type { TaskContext } from './task-context.ts'
import { Undecided } from './undecided.ts'

/** Keywords that are translated elsewhere. */
const TRANSLATED: ReadonlySet<string> = new Set(
  'name when loop loop_control with_items with_dict with_list register until retries delay vars block rescue always no_log'.split(
    ' ',
  ),
)

/** Keywords without an effect on what a role does in the cluster. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(
  'tags changed_when check_mode diff delegate_to delegate_facts run_once connection gather_facts debugger collections become_method'.split(
    ' ',
  ),
)

/** What to do in place of a keyword that changes what a task does. */
const REFUSED: Readonly<Record<string, string>> = {
  ignore_errors: 'put the task into a `block` with a `rescue`',
  ignore_unreachable: 'what may pass is tried again by itself',
  failed_when: 'add an `assert` task',
  notify: 'a role has no handlers: what depends on a change is stated, such as a digest in a pod template',
  listen: 'a role has no handlers',
  async: 'nothing in a role takes long: use `waitReady` or `wait`',
  poll: 'nothing in a role takes long: use `waitReady` or `wait`',
  environment: 'nothing runs in the operator',
  become: 'nothing runs in the operator',
  become_user: 'nothing runs in the operator',
  module_defaults: 'write the parameters into the tasks',
  any_errors_fatal: 'a failed task stops those after it',
  throttle: '`maxConcurrentReconciles` in watches.yaml bounds how much happens at once',
  timeout: 'only `wait` has a timeout',
  with_sequence: 'write `loop: ${[1..n]}`',
  with_nested: 'put a `block` with a loop into a loop',
  with_together: 'use `$zip` in `loop`',
  with_subelements: 'put a `block` with a loop into a loop',
  with_fileglob: 'a role sees no files',
  with_first_found: 'a role sees no files',
}

export function isKeyword(key: string): boolean {
  return TRANSLATED.has(key) || WITHOUT_EFFECT.has(key) || Object.hasOwn(REFUSED, key)
}

/** @throws Undecided for a keyword that would change what the task does */
export function checkKeywords(task: JsonObject, { path }: TaskContext): void {
  for (const [key, value] of Object.entries(task)) {
    const place = { path: [...path, key], at: 'key' as const }
    const hint = Object.hasOwn(REFUSED, key) ? REFUSED[key] : undefined
    if (hint !== undefined && value !== false) {
      throw new Undecided('RB1704', `\`${key}\` has no counterpart`, { hint, place })
    }
    if (key === 'tags' && [value].flat().includes('never')) {
      throw new Undecided('RB1704', 'the tag `never` keeps the task from running', {
        hint: 'leave the task out',
        place,
      })
    }
    if (key === 'delegate_to' && value !== 'localhost' && value !== '127.0.0.1') {
      throw new Undecided('RB1704', '`delegate_to` another host has no counterpart', { place })
    }
  }
}
