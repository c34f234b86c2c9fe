import type { ArgumentLetters } from '../signature.ts'
import type { SyntaxNode } from '../syntax-tree.ts'
import type { Type } from './type.ts'

/** A mistake that an expression has with all data, or something that the author likely did not mean. */
export interface Complaint {
  readonly code:
    | 'unknown-path'
    | 'operand'
    | 'argument'
    | 'comparison'
    | 'missing-operand'
    | 'false-default'
    | 'subtraction'
  readonly severity: 'error' | 'warning'
  readonly message: string
  /** 0-based offset in the source where it begins. */
  readonly position: number
  readonly length: number
  readonly hint?: string | undefined
  /** The path that may have no value. A caller that knows that it has one may drop the complaint. */
  readonly path?: string | undefined
}

/** A name of an expression, and what is known of it where it stands. */
export interface SeenName {
  readonly kind: 'field' | 'variable'
  /** Without `$`; empty for `$` itself, and `$` for `$$`. */
  readonly name: string
  /** 0-based offset in the source where it begins, quotes and `$` included. */
  readonly position: number
  readonly length: number
  /** Of its value. */
  readonly type: Type
  /** Of what a field is read from. */
  readonly of?: Type | undefined
}

/** What an expression can see at a place within it. */
export interface Place {
  /** `$`. */
  readonly focus: Type
  readonly locals: ReadonlyMap<string, Type>
  /** Whether something around has asked already whether values are there. */
  readonly guarded: boolean
}

/** What the parts of the inference share while they walk down one tree. */
export interface Inference {
  readonly source: string
  readonly root: Type
  readonly variable: (name: string) => Type | undefined
  /** The result of a function, in JSONata's notation; `undefined` when there is none of this name. */
  readonly signature: (name: string) => FunctionSignature | undefined
  infer(node: SyntaxNode, place: Place): Type
  complain(complaint: Complaint): void
  /** Is given every field that is read by its name. Absent: nothing asks. */
  readonly see?: ((name: SeenName) => void) | undefined
}

export interface FunctionSignature {
  readonly definition: string
  readonly readsContext: (given: number) => boolean
  /** The first argument that cannot fit with any data. */
  readonly misfit: (args: readonly ArgumentLetters[]) => number | undefined
}
