import type { JsonPath } from '../base/json.ts'
import type { Expression } from '../expression/compile-expression.ts'
import type { Gvk } from '../kube/group-version-kind.ts'
import type { Problem } from '../yaml/diagnostic.ts'
import { compileGenerate } from './compile-generate.ts'
import { compileTimeout } from './compile-timeout.ts'
import type { TaskDraft } from './draft-tasks.ts'
import type { Task } from './role.ts'
import { runTasks } from './run-tasks.ts'
import type { CompileContext } from './task-kind.ts'
import type { TaskModifiers } from './task-modifiers.ts'
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
  /** Names that only the tasks of this list see: of loops around them, and of the kind that holds them. */
  readonly local: readonly string[]
  /** How messages name the task that holds the list. Absent for the role's own. */
  readonly holder?: string | undefined
  /** The task that includes the file of the list: others may do so, too. Absent in the role's own file. */
  readonly includedBy?: string | undefined
  /** Whether the tasks run when the resource goes: nothing is removed then because it is not wanted. Defaults to false. */
  readonly isFinal?: boolean | undefined
}

export function compileTasks(drafts: readonly TaskDraft[], compilation: RoleCompilation): readonly Task[] {
  return Object.freeze(drafts.map((draft) => compileTask(draft, compilation)))
}

function compileTask(draft: TaskDraft, compilation: RoleCompilation): Task {
  const { kind } = draft
  const name = nameOf(draft, compilation)
  const local = [...compilation.local, ...loopNames(draft, compilation)]
  const modifiers = compileModifiers(draft, local, compilation)
  const body = kind.compile(draft.body, new BodyContext(draft, modifiers, { ...compilation, local, holder: name }))
  const task: Task = Object.freeze({ name, place: draft.path.join('.'), kind, body, modifiers })
  warnOfLiveWhen(draft, task, compilation)
  if (modifiers.register !== undefined) defineName(modifiers.register, [...draft.path, 'register'], compilation, true)
  return task
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

function compileModifiers(
  { modifiers: given, path }: TaskDraft,
  local: readonly string[],
  { texts, names, local: around }: RoleCompilation,
): TaskModifiers {
  const condition = (modifier: string, extra: readonly string[] = []): Expression | undefined =>
    given[modifier] === undefined
      ? undefined
      : texts.expression([...path, modifier], names.visible([...local, ...extra]))
  return Object.freeze({
    when: condition('when'),
    loop:
      given.loop === undefined
        ? undefined
        : texts.template([...path, 'loop'], names.visible(around), { base: ['loop'] }),
    loopVar: typeof given.loopVar === 'string' ? given.loopVar : 'item',
    register: typeof given.register === 'string' ? given.register : undefined,
    readyWhen: given.readyWhen === true ? true : condition('readyWhen', ['self']),
    waitReady: typeof given.waitReady === 'boolean' ? given.waitReady : condition('waitReady'),
    timeout: compileTimeout(given.timeout, [...path, 'timeout'], { texts, names: names.visible(local) }),
    retain: given.retain === true,
    adopt: given.adopt === 'ifUnowned' ? 'ifUnowned' : 'never',
    generate: compileGenerate(given.generate, [...path, 'generate'], texts),
  })
}

/** What a kind is told and may ask. Its paths begin at the body. */
class BodyContext implements CompileContext {
  readonly modifiers: TaskModifiers
  readonly watch: Gvk
  readonly #root: JsonPath
  readonly #draft: TaskDraft
  readonly #compilation: RoleCompilation

  constructor(draft: TaskDraft, modifiers: TaskModifiers, compilation: RoleCompilation) {
    this.modifiers = modifiers
    this.watch = compilation.watch
    this.#draft = draft
    this.#root = [...draft.path, draft.kind.name]
    this.#compilation = compilation
  }

  template: CompileContext['template'] = (path = [], rules = {}) => {
    const { texts, names, local } = this.#compilation
    return texts.template([...this.#root, ...path], names.visible(local), { base: path, ...rules })
  }

  expression: CompileContext['expression'] = (path) => {
    const { texts, names, local } = this.#compilation
    return texts.expression([...this.#root, ...path], names.visible(local))
  }

  define: CompileContext['define'] = (name, path) => {
    defineName(name, [...this.#root, ...path], this.#compilation)
  }

  tasks: CompileContext['tasks'] = (field, { isolated = false, variables = [] } = {}) => {
    const { names, local } = this.#compilation
    const hidden = isolated || this.modifiers.loop !== undefined
    const tasks = compileTasks(this.#draft.lists.get(field) ?? [], {
      ...this.#compilation,
      names: hidden ? names.nested() : names,
      local: [...local, ...variables],
    })
    return {
      permissions: tasks.flatMap(({ kind, body }) => kind.permissions(body)),
      run: (context) => runTasks(tasks, isolated ? { ...context, scope: context.scope.child() } : context),
    }
  }

  include: CompileContext['include'] = (field, variables) => {
    const { names: outer, base, texts, watch, holder, isFinal } = this.#compilation
    const names = base.nested()
    for (const { name, path, value } of variables) {
      const place = [...this.#root, ...path]
      const isLive = [...value.variables].some((variable) => outer.isLive(variable))
      const problem = names.add(name, texts.placeOf(place, 'key'), isLive)
      if (problem) texts.report(place, problem, 'key')
    }
    const file = this.#draft.files.get(field)
    const within = { names, base, watch, holder, local: [], includedBy: holder, isFinal }
    const tasks = file ? compileTasks(file.tasks, { ...within, texts: texts.within(file.document) }) : []
    return {
      permissions: tasks.flatMap(({ kind, body }) => kind.permissions(body)),
      run: (context) => runTasks(tasks, context),
    }
  }

  report: CompileContext['report'] = (path, code, message, hint) => {
    this.#compilation.texts.report([...this.#root, ...path], { code, message, hint })
  }
}

/** The name may stand as a key (`set`) or as a value (`register`). */
function defineName(name: string, path: JsonPath, { texts, names }: RoleCompilation, live = false): void {
  const at = live ? 'value' : 'key'
  const problem = names.add(name, texts.placeOf(path, at), live)
  if (problem) texts.report(path, problem, at)
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
