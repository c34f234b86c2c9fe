import type { Branch, Way } from '../branch-observer.ts'
import type { RegexNode, SyntaxNode } from '../syntax-tree.ts'
import type { Value } from '../value.ts'
import type { Frame } from './frame.ts'

/** A compiled node: its value for a frame of variables and a context item (`$`). */
export type Code = (frame: Frame, input: Value) => Value

/** What the families of nodes need to compile their children. */
export interface Compiler {
  compile(node: SyntaxNode): Code
  /** The same for a node in tail position of a lambda: a call there is handed back as a `TailCall`. */
  compileTail(node: SyntaxNode): Code
  /** Whether the expression itself gives this name a value anywhere; if not, it is global. */
  binds(name: string): boolean
  /** Called with the way that is taken. `undefined`: the ways are not observed. */
  branch(operator: Branch['operator'], position: number | undefined): ((way: Way) => void) | undefined
  /** The pattern of a `/…/` literal, also where the library lost it in a copy. */
  regexOf(node: RegexNode): RegExp
}
