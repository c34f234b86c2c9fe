import type { ListNode } from '../syntax-tree.ts'
import { addMark, isListValue, MARK, type Value } from '../value.ts'
import type { Code, Compiler } from './code.ts'

/** `[a, b, 1..3]`: items that are lists are spread, unless they are written as lists themselves. */
export function compileList(node: ListNode, compiler: Compiler): Code {
  const items = node.expressions.map((item) => ({
    code: compiler.compile(item),
    whole: item.type === 'unary' && item.value === '[',
  }))
  const constructed = node.consarray === true
  return (frame, input) => {
    const { budget } = frame.run
    budget.step(1 + items.length)
    const list: Value[] = []
    for (const { code, whole } of items) {
      const value = code(frame, input)
      if (value === undefined) continue
      if (whole || !isListValue(value)) list.push(value)
      else {
        budget.step(value.length)
        for (const item of value) list.push(item)
      }
    }
    budget.allocate(16 + 8 * list.length)
    return constructed ? addMark(list, MARK.constructed) : list
  }
}
