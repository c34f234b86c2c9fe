import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/base/json.ts'
import { ANY_SHAPE, type Shape, shapeOfValue } from './shape.ts'
import type { TaskContext } from './task-context.ts'
import { toExpression, translateValue } from './translate-value.ts'
import { placed, Undecided } from './undecided.ts'

const LOOPS = ['loop', 'with_items', 'with_list', 'with_dict'] as const

/** The loop of a task, and the context of the tasks in it, where the loop variable is known. @throws Undecided */
export function readLoop(task: JsonObject, context: TaskContext): { fields: JsonObject; context: TaskContext } {
  const keyword = LOOPS.find((key) => task[key] !== undefined)
  if (keyword === undefined) return { fields: {}, context }
  const path = [...context.path, keyword]
  const value = task[keyword] as JsonValue
  if (keyword === 'with_items' && isJsonArray(value) && value.some((one) => isJsonArray(one) || isTemplate(one))) {
    throw new Undecided('RB1704', '`with_items` of lists joins them', {
      hint: 'join them with `$append`',
      place: { path },
    })
  }
  const list = keyword === 'with_dict' ? entriesLoop(value, context, path) : plainLoop(value, context, path)
  return { fields: { loop: list.loop, ...controls(task, context).fields }, context: withItem(task, context, list.item) }
}

function isTemplate(value: JsonValue): boolean {
  return typeof value === 'string' && value.includes('{{')
}

type Path = TaskContext['path']

function plainLoop(value: JsonValue, { names }: TaskContext, path: Path): { loop: JsonValue; item: Shape } {
  const expression = placed({ path }, () => toExpression(value, names))
  const [first] = isJsonArray(value) ? value : []
  const item = isJsonArray(value) ? shapeOfItems(value, first) : expression.shape.item()
  return { loop: translateValue(value, { names, path }), item }
}

/** All of one type, or nothing is known. */
function shapeOfItems(items: readonly JsonValue[], first: JsonValue | undefined): Shape {
  const plain = items.every((item) => typeof item === typeof first && !isJsonObject(item) && !isTemplate(item))
  return plain ? shapeOfValue(first) : ANY_SHAPE
}

function entriesLoop(value: JsonValue, { names }: TaskContext, path: Path): { loop: JsonValue; item: Shape } {
  const map = placed({ path }, () => toExpression(value, names))
  names.note('entries come sorted by key')
  return { loop: `\${$entries(${map.text})}`, item: ANY_SHAPE }
}

function controls(
  task: JsonObject,
  { path, names }: TaskContext,
): { fields: JsonObject; item: string; index: string | undefined } {
  const {
    loop_var: item = 'item',
    index_var: index,
    label: _label,
    pause,
    extended,
  } = isJsonObject(task.loop_control) ? task.loop_control : {}
  const place = { path: [...path, 'loop_control'], at: 'key' as const }
  if (extended === true) throw new Undecided('RB1704', '`extended` loops have no counterpart', { place })
  if (pause !== undefined) throw new Undecided('RB1704', '`pause` in a loop has no counterpart', { place })
  const nested = names.variable('item') !== undefined && item === 'item'
  const variable = nested ? 'inner_item' : item === 'item' ? undefined : String(item)
  return {
    fields: variable === undefined ? {} : { loopVar: variable },
    item: String(item),
    index: typeof index === 'string' ? index : undefined,
  }
}

function withItem(task: JsonObject, context: TaskContext, shape: Shape): TaskContext {
  const { fields, item, index } = controls(task, context)
  const names = context.names.nested()
  names.alias(item, typeof fields.loopVar === 'string' ? fields.loopVar : 'item', shape)
  if (index !== undefined) names.alias(index, 'index', shapeOfValue(0))
  return { ...context, names, looped: true, guarded: true }
}
