import { toBoolean } from '../builtins/booleans.ts'
import type { BindNode, BlockNode, ConditionNode, ParentNode, SyntaxNode, VariableNode } from '../syntax-tree.ts'
import { hasMark, MARK, type Value } from '../value.ts'
import { TailCall } from './callable.ts'
import type { Code, Compiler } from './code.ts'
import { settle } from './settle.ts'

/** `$`, `$$`, `$name` */
export function compileVariable(node: VariableNode, compiler: Compiler): Code {
  const name = node.value
  if (name === '')
    return (_frame, input) => (hasMark(input, MARK.outerWrapper) ? (input as readonly Value[])[0] : input)
  if (name === '$' && !compiler.binds(name)) return (frame) => frame.run.root
  if (!compiler.binds(name)) return (frame) => frame.run.global(name)
  return (frame) => {
    frame.run.budget.step()
    return frame.lookup(name)
  }
}

/** `%`: the item that the present one was found in, which the path has bound to a name of its own. */
export function compileParent(node: ParentNode): Code {
  return (frame) => frame.lookup(node.slot.label)
}

/** `$x := value`: in the frame of the block or the call around it. */
export function compileBind(node: BindNode, compiler: Compiler): Code {
  const code = compiler.compile(node.rhs)
  const name = node.lhs.value
  return (frame, input) => {
    const value = code(frame, input)
    frame.bind(name, value)
    return value
  }
}

/** `(a; b; c)`: the value of the last. */
export function compileBlock(node: BlockNode, compiler: Compiler, tail: boolean): Code {
  const last = node.expressions.length - 1
  const codes = node.expressions.map((item, index) =>
    tail && index === last ? compiler.compileTail(item) : compiler.compile(item),
  )
  const [only] = codes
  if (only !== undefined && last === 0) return (frame, input) => only(frame.inner(), input)
  return (frame, input) => {
    const inner = frame.inner()
    let value: Value
    for (const code of codes) value = code(inner, input)
    return value
  }
}

/** `a ? b : c`, and `a ?? b` and `a ?: b`, which the library parses into it. */
export function compileCondition(node: ConditionNode, compiler: Compiler, tail: boolean): Code {
  const otherwise = node.else === undefined ? undefined : compileBranch(node.else, compiler, tail)
  if (isCoalescing(node)) {
    const value = compileBranch(node.then, compiler, tail)
    const took = compiler.branch('??', node.position)
    return (frame, input) => {
      frame.run.budget.step()
      const found: Value | TailCall = value(frame, input)
      const made = found instanceof TailCall ? found.make(frame.run, input) : undefined
      // Any other node has settled its value itself, and not twice: an empty list that `$map` was given is there.
      const exists = (made ? settle(made.value, false) : found) !== undefined
      took?.(exists ? 0 : 1)
      return exists ? ((made ?? found) as Value) : otherwise?.(frame, input)
    }
  }
  const condition = compiler.compile(node.condition)
  const then = compileBranch(node.then, compiler, tail)
  const took = compiler.branch('?:', node.position)
  return (frame, input) => {
    const { budget } = frame.run
    budget.step()
    const holds = toBoolean(condition(frame, input), budget)
    took?.(holds ? 0 : 1)
    return holds ? then(frame, input) : otherwise?.(frame, input)
  }
}

function compileBranch(branch: SyntaxNode, compiler: Compiler, tail: boolean): Code {
  return tail ? compiler.compileTail(branch) : compiler.compile(branch)
}

/** `a ?? b` is parsed as `$exists(a) ? a : b`, where the call stands nowhere in the source. */
function isCoalescing({ condition }: ConditionNode): boolean {
  return condition.type === 'function' && condition.position === undefined && condition.procedure.position === undefined
}
