import { ExpressionError } from '../expression-error.ts'
import { Signature } from '../signature.ts'
import type { ApplyNode, CallNode, LambdaNode, SyntaxNode } from '../syntax-tree.ts'
import { heightOf } from '../tree-shape.ts'
import { isFunctionValue, type Value } from '../value.ts'
import { Callable, ForeignFunction, notAFunction, TailCall } from './callable.ts'
import type { Code, Compiler } from './code.ts'
import type { Frame } from './frame.ts'
import { Composition, HOLE, Lambda, PartialApplication, PassedFunction } from './functions.ts'
import { settle } from './settle.ts'

/** Where a call stands in the source, for errors. */
interface Place {
  readonly position: number
  readonly token: string | undefined
}

/** `$f(a, b)`; with `first`, `lhs ~> $f(a, b)`: its value comes before the arguments. */
export function compileCall(node: CallNode, compiler: Compiler, first?: Code): Code {
  const procedure = compiler.compile(node.procedure)
  const args = node.arguments.map((arg) => compiler.compile(arg))
  const place: Place = { position: node.position, token: nameOf(node.procedure) }
  const bareName = bareNameOf(node.procedure)
  const settles = first === undefined && node.predicate === undefined && node.group === undefined
  const keepArray = node.keepArray === true
  return (frame, input) => {
    const values: Value[] = first === undefined ? [] : [first(frame, input)]
    const callee = procedure(frame, input)
    if (callee === undefined && bareName !== undefined && frame.lookup(bareName))
      throw missingDollar('T1005', node, bareName)
    for (const arg of args) values.push(pass(frame, arg(frame, input)))
    const result = callAt(place, callee, values, input)
    return settles ? settle(result, keepArray) : result
  }
}

/** The last thing that a lambda does: handed back to the loop in `Callable.call`. */
export function compileTailCall(node: CallNode, compiler: Compiler): Code {
  const call = {
    procedure: compiler.compile(node.procedure),
    args: node.arguments.map((arg) => compiler.compile(arg)),
    position: node.procedure.position,
    token: node.procedure.type === 'variable' ? node.procedure.value : undefined,
  }
  // Not a value of the language: it goes from a tail position to the loop of the call, and nowhere else.
  return (frame, input) => new TailCall(call, frame, input) as unknown as Value
}

export function compileLambda(node: LambdaNode, compiler: Compiler): Code {
  const code = {
    parameters: node.arguments.map((parameter) => parameter.value),
    signature: compileSignature(node),
    body: compiler.compileTail(node.body),
    levels: levelsOf(node.body),
  }
  return (frame, input) => new Lambda(code, frame, input)
}

const MAX_SIGNATURE = 200

function compileSignature({ signature, position }: LambdaNode): Signature | undefined {
  if (signature === undefined) return undefined
  if (signature.definition.length <= MAX_SIGNATURE) return new Signature(signature.definition)
  throw new ExpressionError('syntax', 'E1201', 'the signature of a function is too long', { position })
}

/**
 * Nodes within each other that count as one level of depth. A node takes up to 570 bytes of the machine's stack, which has about a
 * megabyte: 500 levels of two nodes leave room for the caller and for the expression around the calls.
 */
const NODES_PER_LEVEL = 2

function levelsOf(body: SyntaxNode): number {
  return Math.ceil(heightOf(body) / NODES_PER_LEVEL)
}

export function compilePartial(node: CallNode, compiler: Compiler): Code {
  const procedure = compiler.compile(node.procedure)
  const slots = node.arguments.map((arg) => (arg.type === 'operator' ? HOLE : compiler.compile(arg)))
  const bareName = bareNameOf(node.procedure)
  return (frame, input) => {
    const values = slots.map((slot) => (slot === HOLE ? HOLE : slot(frame, input)))
    const callee = procedure(frame, input)
    if (callee === undefined && bareName !== undefined && frame.lookup(bareName))
      throw missingDollar('T1007', node, bareName)
    if (callee instanceof Callable) return new PartialApplication(frame.run, callee, values)
    if (isFunctionValue(callee))
      return new PartialApplication(frame.run, new ForeignFunction(frame.run, callee), values)
    const place = { position: node.position, token: nameOf(node.procedure) }
    throw new ExpressionError('type', 'T1008', 'what is partially applied is not a function', place)
  }
}

/** `lhs ~> rhs`: a call with `lhs` as first argument, or the composition of two functions. */
export function compileApply(node: ApplyNode, compiler: Compiler): Code {
  const left = compiler.compile(node.lhs)
  if (node.rhs.type === 'function') return compileCall(node.rhs, compiler, left)
  const right = compiler.compile(node.rhs)
  return (frame, input) => {
    const value = left(frame, input)
    const callee = right(frame, input)
    if (!isFunctionValue(callee)) {
      const message = 'the right side of ~> is not a function'
      throw new ExpressionError('type', 'T2006', message, { position: node.position })
    }
    return isFunctionValue(value) ? new Composition(frame.run, value, callee) : callee.call([value], null)
  }
}

/** A function as an argument keeps no context. */
function pass(frame: Frame, value: Value): Value {
  return isFunctionValue(value) ? new PassedFunction(frame.run, value) : value
}

function callAt(place: Place, callee: Value, args: readonly Value[], input: Value): Value {
  try {
    if (callee instanceof Callable) {
      if (callee.notesCalls) callee.noteCall(place.position, place.token)
      return callee.call(args, input)
    }
    if (isFunctionValue(callee)) return callee.call(args, input)
    throw notAFunction()
  } catch (error) {
    if (error instanceof ExpressionError) {
      error.place(error.position > 0 ? error.position : place.position, error.token || place.token)
    }
    throw error
  }
}

function missingDollar(code: string, node: CallNode, name: string): ExpressionError {
  const message = `${name} is not a function: did you mean $${name}?`
  return new ExpressionError('type', code, message, { position: node.position, token: name })
}

function bareNameOf(procedure: SyntaxNode): string | undefined {
  return procedure.type === 'path' ? nameOf(procedure) : undefined
}

function nameOf(procedure: SyntaxNode): string | undefined {
  const named = procedure.type === 'path' ? procedure.steps[0] : procedure
  return named !== undefined && 'value' in named ? String(named.value) : undefined
}
