/**
 * The syntax tree that the jsonata library parses an expression into, as far as we use it.
 *
 * Positions are 0-based offsets just after the token, as the library counts them.
 */
export type SyntaxNode =
  | PathNode
  | NameNode
  | LiteralNode
  | WildcardNode
  | ParentNode
  | VariableNode
  | BinaryNode
  | NegationNode
  | ListNode
  | ObjectNode
  | CallNode
  | LambdaNode
  | ConditionNode
  | BlockNode
  | BindNode
  | ApplyNode
  | SortNode
  | RegexNode
  | PlaceholderNode
  | TransformNode

/** What any node may carry; the last seven only as a step of a path. */
interface NodeBase {
  readonly position?: number
  readonly predicate?: readonly Stage[]
  readonly group?: Group
  readonly keepArray?: boolean
  readonly stages?: readonly Stage[]
  readonly tuple?: boolean
  readonly focus?: string
  readonly index?: string
  readonly ancestor?: { readonly label: string }
  readonly consarray?: boolean
}

export type Stage =
  | { readonly type: 'filter'; readonly expr: SyntaxNode; readonly position?: number }
  | { readonly type: 'index'; readonly value: string; readonly position?: number }

/** Pairs of key and value: of `{…}` alone and of a grouping `…{…}`. */
export interface Group {
  readonly lhs: readonly (readonly [SyntaxNode, SyntaxNode])[]
  readonly position?: number
}

export interface PathNode extends NodeBase {
  readonly type: 'path'
  readonly steps: readonly [SyntaxNode, ...SyntaxNode[]]
  readonly keepSingletonArray?: boolean
}

export interface NameNode extends NodeBase {
  readonly type: 'name'
  readonly position: number
  readonly value: string
}

export interface LiteralNode extends NodeBase {
  readonly type: 'string' | 'number' | 'value'
  readonly value: string | number | boolean | null
}

export interface WildcardNode extends NodeBase {
  readonly type: 'wildcard' | 'descendant'
  readonly value: string
}

export interface ParentNode extends NodeBase {
  readonly type: 'parent'
  readonly slot: { readonly label: string }
}

/** `$name`; the name is empty for `$` and `$` for `$$`. */
export interface VariableNode extends NodeBase {
  readonly type: 'variable'
  readonly value: string
}

export interface BinaryNode extends NodeBase {
  readonly type: 'binary'
  readonly position: number
  readonly value: string
  readonly lhs: SyntaxNode
  readonly rhs: SyntaxNode
}

export interface NegationNode extends NodeBase {
  readonly type: 'unary'
  readonly value: '-'
  readonly expression: SyntaxNode
}

export interface ListNode extends NodeBase {
  readonly type: 'unary'
  readonly value: '['
  readonly expressions: readonly SyntaxNode[]
}

export interface ObjectNode extends NodeBase, Group {
  readonly type: 'unary'
  readonly value: '{'
  readonly position?: number
}

export interface CallNode extends NodeBase {
  readonly type: 'function' | 'partial'
  readonly position: number
  readonly value: string
  readonly procedure: SyntaxNode
  readonly arguments: readonly SyntaxNode[]
}

export interface LambdaNode extends NodeBase {
  readonly type: 'lambda'
  readonly arguments: readonly VariableNode[]
  readonly signature?: { readonly definition: string }
  readonly body: SyntaxNode
  /** Not written by the author: wraps a call in tail position. */
  readonly thunk?: boolean
}

export interface ConditionNode extends NodeBase {
  readonly type: 'condition'
  readonly condition: SyntaxNode
  readonly then: SyntaxNode
  readonly else?: SyntaxNode
}

export interface BlockNode extends NodeBase {
  readonly type: 'block'
  readonly expressions: readonly SyntaxNode[]
}

export interface BindNode extends NodeBase {
  readonly type: 'bind'
  readonly lhs: VariableNode
  readonly rhs: SyntaxNode
}

export interface ApplyNode extends NodeBase {
  readonly type: 'apply'
  readonly position: number
  readonly lhs: SyntaxNode
  readonly rhs: SyntaxNode
}

export interface SortNode extends NodeBase {
  readonly type: 'sort'
  readonly terms: readonly { readonly descending: boolean; readonly expression: SyntaxNode }[]
}

export interface RegexNode extends NodeBase {
  readonly type: 'regex'
  readonly position: number
  readonly value: RegExp
}

/** `?` among the arguments of a partial application. */
export interface PlaceholderNode extends NodeBase {
  readonly type: 'operator'
  readonly value: '?'
}

export interface TransformNode extends NodeBase {
  readonly type: 'transform'
  readonly pattern: SyntaxNode
  readonly update: SyntaxNode
  readonly delete?: SyntaxNode
}
