import { compileLiteral as checkRegex, regexFunction } from '../builtins/regex.ts'
import { ExpressionError } from '../expression-error.ts'
import type { LambdaNode, LiteralNode, RegexNode, SyntaxNode } from '../syntax-tree.ts'
import { compileApply, compileCall, compileLambda, compilePartial, compileTailCall } from './calls.ts'
import type { Code, Compiler } from './code.ts'
import { compileList } from './constructors.ts'
import { compileFilters } from './filters.ts'
import { compileGroup, compileObject } from './groups.ts'
import { compileName } from './names.ts'
import { compileBinary, compileNegation } from './operators.ts'
import { compilePath } from './paths.ts'
import { settle } from './settle.ts'
import { compileBind, compileBlock, compileCondition, compileParent, compileVariable } from './variables.ts'
import { compileDescendants, compileWildcard } from './wildcards.ts'

/** Compiles one node, by the family it is of, and what hangs on it: predicates, grouping, `[]`. */
export function compileNode(node: SyntaxNode, compiler: Compiler, tail: boolean): Code {
  const filters = compileFilters(node.predicate, compiler)
  const group = node.type === 'path' ? undefined : node.group
  const isTail = tail && filters === undefined && group === undefined
  let code = compileOwn(node, compiler, isTail)
  if (filters !== undefined) code = after(code, filters)
  if (group !== undefined) code = after(code, compileGroup(group, compiler))
  const isBare = filters === undefined && group === undefined
  if (isBare && (SETTLED.has(node.type) || (node.keepArray !== true && isNeverSequence(node, compiler)))) return code
  const keepArray = node.keepArray === true
  return (frame, input) => settle(code(frame, input), keepArray)
}

/** Nodes that settle their own value, which saves a closure around each. */
const SETTLED: ReadonlySet<SyntaxNode['type']> = new Set(['path', 'name', 'function'])

/**
 * Nodes whose value is no sequence. Those that hand on what a child yields are not among them: a settled sequence may be
 * another one, when a function was given to `$map`.
 */
function isNeverSequence(node: SyntaxNode, compiler: Compiler): boolean {
  if (node.type === 'variable') return node.value !== '' && !compiler.binds(node.value)
  return node.type === 'binary' ? node.value !== '..' : NEVER_SEQUENCES.has(node.type)
}

const NEVER_SEQUENCES: ReadonlySet<SyntaxNode['type']> = new Set([
  'string',
  'number',
  'value',
  'unary',
  'regex',
  'lambda',
  'partial',
])

function after(first: Code, second: Code): Code {
  return (frame, input) => second(frame, first(frame, input))
}

function compileOwn(node: SyntaxNode, compiler: Compiler, tail: boolean): Code {
  switch (node.type) {
    case 'path':
      return compilePath(node, compiler)
    case 'name':
      return compileName(node)
    case 'string':
    case 'number':
    case 'value':
      return compileLiteral(node)
    case 'wildcard':
      return compileWildcard()
    case 'descendant':
      return compileDescendants()
    case 'parent':
      return compileParent(node)
    case 'variable':
      return compileVariable(node, compiler)
    case 'binary':
      return compileBinary(node, compiler)
    case 'unary':
      return compileUnary(node, compiler)
    case 'regex':
      return compileRegex(node, compiler)
    default:
      return compileStructure(node, compiler, tail)
  }
}

function compileStructure(node: SyntaxNode, compiler: Compiler, tail: boolean): Code {
  switch (node.type) {
    case 'condition':
      return compileCondition(node, compiler, tail)
    case 'block':
      return compileBlock(node, compiler, tail)
    case 'bind':
      return compileBind(node, compiler)
    case 'function':
      return compileCall(node, compiler)
    case 'partial':
      return compilePartial(node, compiler)
    case 'lambda':
      return node.thunk === true ? compileThunk(node, compiler, tail) : compileLambda(node, compiler)
    case 'apply':
      return compileApply(node, compiler)
    default: {
      const at = { position: node.position }
      throw new ExpressionError('syntax', 'S0206', `this cannot stand here: ${node.type}`, at)
    }
  }
}

function compileUnary(node: SyntaxNode & { type: 'unary' }, compiler: Compiler): Code {
  if (node.value === '-') return compileNegation(node, compiler)
  return node.value === '[' ? compileList(node, compiler) : compileObject(node, compiler)
}

/** A call that the library saw in tail position. Where something is still done with its value, it is an ordinary one. */
function compileThunk({ body }: LambdaNode, compiler: Compiler, tail: boolean): Code {
  if (body.type !== 'function' || !tail || body.group !== undefined || body.keepArray === true)
    return compiler.compile(body)
  return compileTailCall(body, compiler)
}

function compileLiteral({ value }: LiteralNode): Code {
  return () => value
}

/** Compiled at load too, where what the linear-time engine cannot do is an error. */
function compileRegex(node: RegexNode, compiler: Compiler): Code {
  const { source, flags } = compiler.regexOf(node)
  const { position } = node
  checkRegex(source, flags, position)
  return (frame) => regexFunction(source, flags, frame.run.budget, position)
}
