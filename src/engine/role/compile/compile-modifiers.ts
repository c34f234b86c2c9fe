import type { Expression } from '../../expression/compile-expression.ts'
import type { TaskDraft } from '../parse/draft-tasks.ts'
import type { TaskFlows } from '../secrecy/task-flows.ts'
import type { FlowSource } from '../secrecy/value-flow.ts'
import type { TaskModifiers } from '../task-modifiers.ts'
import { compileAdopt } from './compile-adopt.ts'
import { compileGenerate } from './compile-generate.ts'
import { compileHandOver } from './compile-hand-over.ts'
import type { TextCompiler } from './text-compiler.ts'
import { compileTimeout } from './timeout.ts'
import type { VariableNames } from './variable-names.ts'

/** What modifiers are compiled with. */
interface ModifierCompilation {
  readonly texts: TextCompiler
  readonly names: VariableNames
  readonly local: readonly string[]
  readonly flows: TaskFlows
}

/** The modifiers of a task, but for its loop. */
export function compileModifiers(
  draft: TaskDraft,
  compilation: ModifierCompilation & { readonly sensitive: boolean },
): Omit<TaskModifiers, 'loop'> {
  const { modifiers: given, path } = draft
  const { texts, names, local, sensitive } = compilation
  const condition = (modifier: string, extra: readonly string[] = []): Expression | undefined =>
    given[modifier] === undefined
      ? undefined
      : texts.expression([...path, modifier], names.visible([...local, ...extra]), flowSource(compilation))
  const surroundings = { texts, names: names.visible(local), flows: flowSource(compilation), sensitive }
  return {
    when: condition('when'),
    loopVar: loopVarOf(draft),
    register: typeof given.register === 'string' ? given.register : undefined,
    readyWhen: given.readyWhen === true ? true : condition('readyWhen', ['self']),
    waitReady: typeof given.waitReady === 'boolean' ? given.waitReady : condition('waitReady'),
    timeout: compileTimeout(given.timeout, [...path, 'timeout'], surroundings),
    handOver: compileHandOver(given.handOver, [...path, 'handOver'], surroundings),
    retain: given.retain === true,
    ...compileAdopt(given.adopt),
    drift: given.drift === 'once' ? 'once' : 'enforce',
    onImmutable: given.onImmutable === 'recreate' ? 'recreate' : 'fail',
    force: given.force === true,
    generate: compileGenerate(given.generate, [...path, 'generate'], texts),
    sensitive,
  }
}

/** How the task calls the items of its loop. */
export function loopVarOf({ modifiers: { loopVar } }: TaskDraft): string {
  return typeof loopVar === 'string' ? loopVar : 'item'
}

/** What flows into what a place sees. */
export function flowSource({ flows, names }: Pick<ModifierCompilation, 'flows' | 'names'>): FlowSource {
  return (name) => flows.ofLocal(name) ?? names.flowOf(name)
}
