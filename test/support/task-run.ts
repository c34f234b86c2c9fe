import { FakeClock } from '../../src/core/base/fake-clock.ts'
import type { JsonObject } from '../../src/core/base/json.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import type { Readiness } from '../../src/core/kube/readiness.ts'
import type { Diagnostic } from '../../src/core/yaml/diagnostic.ts'
import { SourceFile } from '../../src/core/yaml/source-file.ts'
import { RunStatus } from '../../src/engine/reconcile/run/new-ports.ts'
import { compileRole } from '../../src/engine/role/compile/compile-role.ts'
import { RoleParser } from '../../src/engine/role/parse/parse-role.ts'
import type { Role } from '../../src/engine/role/role.ts'
import type {
  ChartPort,
  EnsureOptions,
  EventPort,
  ListQuery,
  ObjectPort,
  ObjectTarget,
  WaitPort,
} from '../../src/engine/role/run/run-context.ts'
import type { RunObserver } from '../../src/engine/role/run/run-observer.ts'
import { runRole } from '../../src/engine/role/run/run-role.ts'
import type { RunOutcome } from '../../src/engine/role/task-outcome.ts'
import { TaskRegistry } from '../../src/engine/role/task-registry.ts'
import { builtinTaskKinds } from '../../src/engine/tasks/builtin-task-kinds.ts'
import { sourcesOf } from './sources.ts'

const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget' }

const parser = new RoleParser(new TaskRegistry(builtinTaskKinds))

/** Compiles tasks, written as the list below `tasks:`, with the real vocabulary. */
export function compileTasks(
  text: string,
  files: Readonly<Record<string, string>> = {},
  head = '',
): { readonly role?: Role; readonly diagnostics: readonly Diagnostic[] } {
  const { draft, diagnostics } = parser.parse(new SourceFile('role.yaml', `${head}tasks:\n${text}`), sourcesOf(files))
  if (!draft) return { diagnostics }
  const compiled = compileRole(draft, { name: 'role', watch: WIDGET, vars: {} })
  return { ...compiled, diagnostics: [...diagnostics, ...compiled.diagnostics] }
}

/** The role of tasks that are right. */
export function roleOf(text: string): Role {
  const { role, diagnostics } = compileTasks(text)
  if (!role) throw new Error(diagnostics.map(({ line, message }) => `${line}: ${message}`).join('\n'))
  return role
}

/** What a run asked of its ports. */
export interface TaskRun {
  readonly outcome: RunOutcome
  /** `failed Invalid …`, `waiting …` or `complete`. */
  readonly end: string
  readonly ensured: readonly { readonly object: KubeObject; readonly options: EnsureOptions }[]
  readonly patched: readonly KubeObject[]
  readonly read: readonly (ObjectTarget | ListQuery)[]
  readonly judged: readonly string[]
  /** `Normal Reason message` */
  readonly events: readonly string[]
  readonly status: JsonObject
}

const PATIENT: WaitPort = { left: (_place, timeout) => timeout, over: () => undefined }

export interface TaskRunOptions {
  readonly spec?: JsonObject
  readonly ports?: Partial<ObjectPort>
  /** Of the role, by path. */
  readonly files?: Readonly<Record<string, string>>
  /** What stands before `tasks:`. */
  readonly head?: string
  /** Defaults to one for which no time is ever up. */
  readonly waits?: WaitPort
  readonly observer?: RunObserver
  /** Defaults to one that stands still. */
  readonly clock?: FakeClock
  /** Defaults to one that never aborts. */
  readonly signal?: AbortSignal
  /** Defaults to none: charts cannot be rendered. */
  readonly charts?: ChartPort
}

/** Runs tasks once. What is ensured comes back as it was sent; nothing else is there. */
export async function runTasks(
  text: string,
  { spec = {}, waits = PATIENT, ports = {}, files, head, observer, charts, ...given }: TaskRunOptions = {},
): Promise<TaskRun> {
  const { role, diagnostics } = compileTasks(text, files, head)
  if (!role) throw new Error(diagnostics.map(({ code, message, line }) => `${code}:${line} ${message}`).join('\n'))
  const ensured: { object: KubeObject; options: EnsureOptions }[] = []
  const patched: KubeObject[] = []
  const read: (ObjectTarget | ListQuery)[] = []
  const judged: string[] = []
  const objects: ObjectPort = {
    async get(target) {
      read.push(target)
      return ports.get?.(target)
    },
    async list(query) {
      read.push(query)
      return ports.list?.(query) ?? []
    },
    async ensure(object, options) {
      ensured.push({ object, options: { ...options } })
      return ports.ensure?.(object, options) ?? { object, changed: true }
    },
    async patch(object, options) {
      patched.push(object)
      return ports.patch?.(object, options)
    },
    async locate(target) {
      const { name, namespace = 'default' } = target
      return ports.locate?.(target) ?? { namespace, name }
    },
    reportReadiness: (object, readiness) => void judged.push(`${object.metadata.name} ${print(readiness)}`),
  }
  const status = new RunStatus()
  const recorded: string[] = []
  const events: EventPort = {
    record: ({ type, reason, message }) => void recorded.push(`${type} ${reason} ${message}`),
  }
  const resource: KubeObject = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'default', uid: 'u' },
    spec,
  }
  const { clock = new FakeClock(), signal = new AbortController().signal } = given
  const world = { resource, objects, status, events, waits, clock, logger: nopLogger, signal }
  const outcome = await runRole(role, { ...world, observer, charts })
  return { outcome, end: endOf(outcome), ensured, patched, read, judged, events: recorded, status: status.fields }
}

function endOf({ stoppedBy }: RunOutcome): string {
  if (!stoppedBy) return 'complete'
  const { outcome } = stoppedBy
  return outcome.kind === 'waiting' ? `waiting ${outcome.reason}` : `failed ${outcome.reason} ${outcome.error.message}`
}

function print(readiness: Readiness): string {
  return readiness.kind === 'ready' ? 'ready' : `${readiness.kind}: ${readiness.message}`
}
