import { k8s } from './k8s.ts'
import { k8sInfo } from './k8s-info.ts'
import { k8sStatus } from './k8s-status.ts'
import type { Module, RefusedModule } from './module.ts'
import { setFact } from './set-fact.ts'
import { assertModule, failModule, includeModule, silentModule } from './small-modules.ts'

const MODULES: readonly Module[] = [
  k8s,
  k8sInfo,
  k8sStatus,
  setFact,
  assertModule,
  failModule,
  silentModule,
  includeModule,
]

const REFUSED: readonly RefusedModule[] = [
  {
    names: ['command', 'shell', 'script', 'raw', 'uri', 'get_url', 'pip', 'package'],
    hint: 'nothing runs in the operator: `ensure` a Job that does it, with `waitReady: true`',
  },
  {
    names: ['template', 'copy', 'file', 'lineinfile', 'slurp', 'stat', 'tempfile'],
    hint: 'the operator has no files: put the text into a ConfigMap',
  },
  {
    names: ['helm', 'helm_info', 'helm_repository'],
    hint: 'render the chart once and write its objects as `ensure` tasks',
  },
  { names: ['k8s_scale'], hint: 'state `spec.replicas` in the task that ensures the object' },
  { names: ['k8s_exec', 'k8s_cp', 'k8s_log'], hint: 'nothing runs in pods from here: `ensure` a Job that does it' },
  { names: ['k8s_json_patch'], hint: 'write the fields as a `patch`' },
  { names: ['k8s_event', 'osdk_metric'], hint: 'an `event` task reports what happened' },
  {
    names: ['requeue_after'],
    hint: 'a role runs when what it reads changes; `reconcilePeriod` in watches.yaml for the rest',
  },
  { names: ['include_role', 'import_role'], hint: 'write the tasks of that role into this one' },
  { names: ['meta'], hint: 'put the tasks that follow into a `block` with a `when`' },
  { names: ['include_vars'], hint: 'write the values into `vars` of the role' },
  { names: ['pause', 'wait_for'], hint: 'a `wait` task waits for something that can be seen' },
]

/** The module that a key of a task names; nothing when there is no counterpart. */
export function moduleOf(key: string): Module | undefined {
  const [collection, name] = splitName(key)
  return MODULES.find(
    ({ names, collections }) => names.includes(name) && (collection === '' || collections.includes(collection)),
  )
}

/** What to do in place of a module that has no counterpart. */
export function adviceOn(key: string): string | undefined {
  const [, name] = splitName(key)
  return REFUSED.find(({ names }) => names.includes(name))?.hint
}

/** `kubernetes.core.k8s` is collection and name; `ansible.legacy` is another word for the built-in ones. */
function splitName(key: string): readonly [string, string] {
  const dot = key.lastIndexOf('.')
  const collection = key.slice(0, Math.max(dot, 0)).replace(/^ansible\.legacy$/, 'ansible.builtin')
  return [collection, key.slice(dot + 1)]
}
