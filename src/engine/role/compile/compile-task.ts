import { getPath, type JsonObject, type JsonPath, printPath } from '../../../core/base/json.ts'
import type { Gvk } from '../../../core/kube/group-version-kind.ts'
import type { Problem } from '../../../core/yaml/diagnostic.ts'
import { type Flow, FROM_CLUSTER, FROM_ROLE, through, unionOf } from '../../expression/flow/flow.ts'
import { orderingOf, variablesOf } from '../graph/ordering-traits.ts'
import { taskGraph } from '../graph/task-graph.ts'
import type { TaskLink, TaskOrder } from '../graph/task-graph-types.ts'
import type { TaskDraft } from '../parse/draft-tasks.ts'
import type { UsedSources } from '../parse/role-sources.ts'
import type { Task, TaskSequence } from '../role.ts'
import type { RunContext } from '../run/run-context.ts'
import { runTasks } from '../run/run-tasks.ts'
import type { TaskFlows } from '../secrecy/task-flows.ts'
import type { TrackedTemplate } from '../secrecy/tracked-template.ts'
import type { CompileContext, TaskList } from '../task-kind.ts'
import type { TaskModifiers } from '../task-modifiers.ts'
import { compileAfter } from './compile-after.ts'
import { compileModifiers, flowSource, loopVarOf } from './compile-modifiers.ts'
import type { TextCompiler } from './text-compiler.ts'
import type { VariableNames } from './variable-names.ts'

/** What the tasks of a role are compiled with, one after the other. */
export interface RoleCompilation {
  readonly texts: TextCompiler
  /** Grows by what each task registers or sets. */
  readonly names: VariableNames
  /** What is visible in every file of the role: its variables. */
  readonly base: VariableNames
  readonly watch: Gvk
  /** What orders the tasks of the list. */
  readonly order: TaskOrder
  readonly sources: UsedSources
  /** Names that only the tasks of this list see: of loops around them, and of the kind that holds them. */
  readonly local: readonly string[]
  /** What flows into the names of `local`, and into objects. */
  readonly flows: TaskFlows
  /** Whether a task that holds the list is sensitive. Defaults to false. */
  readonly sensitive?: boolean | undefined
  /** How messages name the task that holds the list. Absent for the role's own. */
  readonly holder?: string | undefined
  /** The task that includes the file of the list: others may do so, too. Absent in the role's own file. */
  readonly includedBy?: string | undefined
  /** Whether the tasks run when the resource goes: nothing is removed then because it is not wanted. Defaults to false. */
  readonly isFinal?: boolean | undefined
}

export function compileTasks(drafts: readonly TaskDraft[], compilation: RoleCompilation): TaskSequence {
  const tasks = Object.freeze(
    drafts.map((draft, index) => compileTask(draft, compilation, compileAfter(drafts, index, compilation.texts))),
  )
  return { tasks, graph: compilation.order === 'data' ? taskGraph(tasks) : undefined }
}

function compileTask(draft: TaskDraft, around: RoleCompilation, after: readonly TaskLink[]): Task {
  const { kind } = draft
  const name = nameOf(draft, around)
  const local = [...around.local, ...loopNames(draft, around)]
  const loop = compileLoop(draft, around)
  const sensitive = around.sensitive === true || draft.modifiers.sensitive === true
  const flows = loop
    ? around.flows.with([
        [loopVarOf(draft), loop.flow],
        ['index', FROM_ROLE],
      ])
    : around.flows
  const compilation = { ...around, local, flows, sensitive, holder: name }
  const modifiers = Object.freeze({ ...compileModifiers(draft, compilation), loop })
  const context = new BodyContext(draft, modifiers, compilation)
  const body = kind.compile(draft.body, context)
  const { reads, gives, lists } = context
  for (const name of variablesOf(modifiers)) reads.add(name)
  if (modifiers.register !== undefined) gives.add(modifiers.register)
  const place = draft.path.join('.')
  const parts = { kind, body, modifiers, lists }
  const index = Number(draft.path.at(-1))
  const order = orderingOf(parts, around.order)
  const lines = around.texts.linesOf(draft)
  const task: Task = Object.freeze({ name, place, lines, index, ...parts, reads, gives, after, ...order })
  around.texts.recordPlace(task, draft)
  warnOfLiveWhen(draft, task, around)
  const result = flows.ofResult(kind.permissions(body), context.flow, { sensitive, objectsIn: kind.objectsIn })
  const { register } = modifiers
  if (register !== undefined) defineName(register, [...draft.path, 'register'], around, { live: true, flow: result })
  return task
}

function compileLoop({ modifiers, path }: TaskDraft, compilation: RoleCompilation): TrackedTemplate | undefined {
  const { texts, names, local, sensitive } = compilation
  if (modifiers.loop === undefined) return undefined
  return texts.template([...path, 'loop'], names.visible(local), {
    base: ['loop'],
    flows: flowSource(compilation),
    sensitive,
  })
}

function nameOf(draft: TaskDraft, compilation: RoleCompilation): string {
  const { name } = draft.modifiers
  if (typeof name !== 'string') return placeName(draft, compilation)
  return compilation.includedBy === undefined ? name : `${name} of ${compilation.includedBy}`
}

function placeName({ kind, path }: TaskDraft, { holder }: RoleCompilation): string {
  const place = `${kind.name} (task ${Number(path.at(-1)) + 1}`
  return holder === undefined ? `${place})` : `${place} of ${holder})`
}

/** The names that a loop gives to its task alone. */
function loopNames({ modifiers, path }: TaskDraft, { names, local, texts }: RoleCompilation): readonly string[] {
  if (modifiers.loop === undefined) return []
  const given = typeof modifiers.loopVar === 'string' ? modifiers.loopVar : 'item'
  if (local.includes(given))
    texts.report([...path, modifiers.loopVar === undefined ? 'loop' : 'loopVar'], nested(given))
  const place = texts.placeOf(path, 'value')
  const problem = given === 'item' ? undefined : names.problemWith(given, place)
  if (problem) texts.report([...path, 'loopVar'], problem)
  return [given, 'index']
}

function nested(name: string): Problem {
  const message = `the loop around this one calls its items \`$${name}\` already`
  return { code: 'RB1107', message, hint: 'give this loop a `loopVar` of its own' }
}

/** What a kind knows and may ask while it compiles a task. Its paths begin at the body. */
class BodyContext implements CompileContext {
  readonly modifiers: TaskModifiers
  readonly watch: Gvk
  /** Variables that the body reads, and those that it gives a value. */
  readonly reads = new Set<string>()
  readonly gives = new Set<string>()
  readonly lists: Task['lists'][number][] = []
  readonly #root: JsonPath
  readonly #draft: TaskDraft
  readonly #compilation: RoleCompilation
  /** Into what stands at a path of the body. */
  readonly #flows = new Map<string, Flow>()

  constructor(draft: TaskDraft, modifiers: TaskModifiers, compilation: RoleCompilation) {
    this.modifiers = modifiers
    this.watch = compilation.watch
    this.#draft = draft
    this.#root = [...draft.path, draft.kind.name]
    this.#compilation = compilation
  }

  /** Into the body, whether it is compiled as a whole or in parts. */
  get flow(): Flow {
    return unionOf(...this.#flows.values())
  }

  #flowAt(path: JsonPath): Flow {
    return this.#flows.get(printPath(path)) ?? FROM_ROLE
  }

  template: CompileContext['template'] = (path = [], rules = {}) => {
    const { texts, names, local, sensitive } = this.#compilation
    const flows = flowSource(this.#compilation)
    const given = { base: path, ...rules, flows, sensitive }
    const template = texts.template([...this.#root, ...path], names.visible(local), given)
    this.#flows.set(printPath(path), template.flow)
    for (const name of template.variables) this.reads.add(name)
    return template
  }

  expression: CompileContext['expression'] = (path) => {
    const { texts, names, local } = this.#compilation
    const expression = texts.expression([...this.#root, ...path], names.visible(local), flowSource(this.#compilation))
    for (const name of expression?.variables ?? []) this.reads.add(name)
    return expression
  }

  define: CompileContext['define'] = (name, path) => {
    this.gives.add(name)
    defineName(name, [...this.#root, ...path], this.#compilation, { flow: this.#flowAt(path) })
  }

  tasks: CompileContext['tasks'] = (field, { isolated = false, variables = [], order } = {}) => {
    const { names, local, flows } = this.#compilation
    const hidden = isolated || this.modifiers.loop !== undefined
    const list = compileTasks(this.#draft.lists.get(field) ?? [], {
      ...this.#compilation,
      names: hidden ? names.nested() : names,
      local: [...local, ...variables],
      flows: flows.with(variables.map((name) => [name, FROM_CLUSTER])),
      order: order ?? this.#compilation.order,
    })
    for (const { reads, gives } of list.tasks) {
      for (const name of reads) this.reads.add(name)
      for (const name of gives) this.gives.add(name)
    }
    return this.#taskList(field, list, (context) => (isolated ? { ...context, scope: context.scope.child() } : context))
  }

  #taskList(
    field: string,
    list: TaskSequence,
    within: (context: RunContext) => RunContext = (context) => context,
  ): TaskList {
    this.lists.push({ field, ...list })
    return {
      permissions: list.tasks.flatMap(({ kind, body }) => kind.permissions(body)),
      run: (context) => runTasks(list, within(context)),
    }
  }

  include: CompileContext['include'] = (field, variables) => {
    const { names: outer, base, texts, watch, sources, holder, isFinal, flows, sensitive, order } = this.#compilation
    const names = base.nested()
    for (const { name, path, value } of variables) {
      const place = [...this.#root, ...path]
      const isLive = [...value.variables].some((variable) => outer.isLive(variable))
      const problem = names.add(name, texts.placeOf(place, 'key'), isLive)
      if (problem) texts.report(place, problem, 'key')
      names.setFlow(name, through(this.#flowAt(path), { name, ...texts.placeOf(place, 'key') }))
    }
    const file = this.#draft.files.get(field)
    const path = String(getPath(this.#draft.body, [field]))
    const rest = { base, watch, sources, holder, isFinal, flows: flows.withoutLocals(), sensitive, order }
    const within = { ...rest, names, local: [], includedBy: holder }
    const list = compileTasks(file?.tasks ?? [], { ...within, texts: file ? texts.within(file.document, path) : texts })
    return this.#taskList(field, list)
  }

  chart: CompileContext['chart'] = (field) => {
    const found = this.#compilation.sources.findChart(String((this.#draft.body as JsonObject)[field]))
    if (!found.chart) this.#compilation.texts.report([...this.#root, field], found.problem)
    return found.chart
  }

  report: CompileContext['report'] = (path, code, message, hint) => {
    this.#compilation.texts.report([...this.#root, ...path], { code, message, hint })
  }
}

/** The name may stand as a key (`set`) or as a value (`register`). */
function defineName(
  name: string,
  path: JsonPath,
  { texts, names, local }: RoleCompilation,
  { live = false, flow }: { readonly live?: boolean; readonly flow: Flow },
): void {
  const at = live ? 'value' : 'key'
  const place = texts.placeOf(path, at)
  const problem = names.add(name, place, live) ?? (local.includes(name) ? givenByLoop(name) : undefined)
  if (problem) texts.report(path, problem, at)
  else names.setFlow(name, through(flow, { name, ...place }))
}

function givenByLoop(name: string): Problem {
  const message = `\`$${name}\` has its meaning already: the loop around this task calls its items so`
  return { code: 'RB1103', message, hint: 'choose another name' }
}

/** An object whose being wanted depends on what the cluster looks like may come and go for ever. */
function warnOfLiveWhen(
  { path }: TaskDraft,
  { kind, body, modifiers }: Task,
  { texts, names, isFinal = false }: RoleCompilation,
): void {
  if (isFinal) return
  const live = [...(modifiers.when?.variables ?? [])].find((name) => names.isLive(name))
  if (live === undefined || !kind.permissions(body).some(({ access }) => access === 'own')) return
  texts.report([...path, 'when'], {
    severity: 'warning',
    code: 'RB1106',
    message: `whether the object is wanted depends on \`$${live}\`, which was read from the cluster`,
    hint: 'to hold the task up until something is there, use `wait` or `waitReady` before it',
  })
}
