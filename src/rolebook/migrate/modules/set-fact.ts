import type { JsonObject, JsonValue } from '../../../core/base/json.ts'
import { type Jsonata, operand } from '../jsonata-text.ts'
import type { TaskContext } from '../task-context.ts'
import { toExpression, translateValue } from '../translate-value.ts'
import { placed, Undecided } from '../undecided.ts'
import type { Module } from './module.ts'

/** `set_fact`: names for later tasks. A fact that is set twice gets a second name, since a name means one thing here. */
export const setFact: Module = {
  names: ['set_fact'],
  collections: ['ansible.builtin'],
  translate(parameters, { name, fields }, context) {
    parameters.ignore('cacheable')
    if (context.looped) {
      throw new Undecided('RB1704', 'facts in a loop build on each other', { hint: 'make the list in one expression' })
    }
    const facts = factsOf(context, parameters.module)
    const set: Record<string, JsonValue> = {}
    let merged = false
    for (const [fact, value] of facts) {
      const { when } = fields
      const defined = placed({ path: [...context.path, parameters.module, fact] }, () =>
        defineFact(fact, value, {
          when: typeof when === 'string' ? when : undefined,
          context,
          module: parameters.module,
        }),
      )
      set[defined.name] = defined.value
      merged ||= defined.merged
    }
    const { when, ...rest } = fields
    const kept = merged || when === undefined ? rest : fields
    return [{ fields: { ...(name === undefined ? {} : { name }), ...kept, set } }]
  },
}

function factsOf({ document, path }: TaskContext, module: string): readonly (readonly [string, JsonValue])[] {
  let here = document.value
  for (const step of [...path, module]) here = (here as JsonObject)[step as string] as JsonValue
  return Object.entries(here as JsonObject).flatMap(([key, value]) =>
    key === 'cacheable' ? [] : [[key, value as JsonValue] as const],
  )
}

interface FactOptions {
  /** `${…}`, when the task is conditional. */
  readonly when: string | undefined
  readonly module: string
  readonly context: TaskContext
}

function defineFact(fact: string, value: JsonValue, { when, module, context }: FactOptions) {
  const { names, path, guarded } = context
  if (names.isField(fact)) {
    const message = `the spec has a field that Ansible calls \`${fact}\`, too, and there it wins over the fact`
    throw new Undecided('RB1704', message, { hint: 'give the fact another name, here and where it is read' })
  }
  const before = names.variable(fact)
  const expression = placed({ path: [...path, module, fact] }, () => toExpression(value, names))
  if (before && guarded) {
    const hint = 'give both values in one expression'
    throw new Undecided('RB1704', 'a fact is set again under a condition around the task', { hint })
  }
  const { shape } = expression
  if (before && when !== undefined) {
    const old: Jsonata = names.resolve(fact, [])
    const text = `\${(${when.slice(2, -1)}) ? ${operand(expression)} : ${operand(old)}}`
    const { name } = names.define(fact, { shape, optional: expression.optional || old.optional, form: 'value' })
    return { name, value: text, merged: true }
  }
  const translated = translateValue(value, { names, path: [...path, module, fact] })
  const optional = expression.optional || when !== undefined || guarded
  return { name: names.define(fact, { shape, optional, form: 'value' }).name, value: translated, merged: false }
}
