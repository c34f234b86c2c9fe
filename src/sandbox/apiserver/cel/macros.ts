import type { CelCompileError } from './cel-error.ts'
import type { CallExpr, Expr, FoldExpr, IdentExpr } from './expr.ts'
import type { CelValue } from './values.ts'

type Refuse = (position: number, message: string) => CelCompileError

/** Replaces a call that is a macro by what it stands for. */
export function expandMacro(call: CallExpr, refuse: Refuse, { bindsNames, keepsMethods }: MacroOptions): Expr {
  if (!call.target) return call.name === 'has' && call.args.length === 1 ? presenceTest(call, refuse) : call
  if (keepsMethods) return call
  if (bindsNames && isBinding(call)) return namedValue(call, refuse)
  const macro = MACROS[`${call.name}/${call.args.length}`]
  return macro ? macro({ ...call, target: call.target }, refuse) : call
}

export interface MacroOptions {
  /** Whether `cel.bind(name, value, expression)` is one. */
  readonly bindsNames: boolean
  /** Whether macros that look like methods stay the calls that a person wrote, for one who reads the tree and does not run it. */
  readonly keepsMethods?: boolean
}

type MethodCall = CallExpr & { readonly target: Expr }
type Macro = (call: MethodCall, refuse: Refuse) => Expr

const MACROS: Readonly<Record<string, Macro>> = {
  'all/2': (call, refuse) => all(call, names(call, 1, refuse)),
  'all/3': (call, refuse) => all(call, names(call, 2, refuse)),
  'exists/2': (call, refuse) => exists(call, names(call, 1, refuse)),
  'exists/3': (call, refuse) => exists(call, names(call, 2, refuse)),
  'existsOne/2': (call, refuse) => existsOne(call, names(call, 1, refuse)),
  'existsOne/3': (call, refuse) => existsOne(call, names(call, 2, refuse)),
  'exists_one/2': (call, refuse) => existsOne(call, names(call, 1, refuse)),
  'exists_one/3': (call, refuse) => existsOne(call, names(call, 2, refuse)),
  'map/2': (call, refuse) => mapped(call, mapName(call, refuse)),
  'map/3': (call, refuse) => mapped(call, mapName(call, refuse)),
  'filter/2': filtered,
  'transformList/3': (call, refuse) => mapped(call, names(call, 2, refuse)),
  'transformList/4': (call, refuse) => mapped(call, names(call, 2, refuse)),
  'transformMap/3': (call, refuse) => mapTransformed(call, names(call, 2, refuse), 'cel.@mapInsert'),
  'transformMap/4': (call, refuse) => mapTransformed(call, names(call, 2, refuse), 'cel.@mapInsert'),
  'transformMapEntry/3': (call, refuse) => mapTransformed(call, names(call, 2, refuse), 'cel.@mapInsertEntry'),
  'transformMapEntry/4': (call, refuse) => mapTransformed(call, names(call, 2, refuse), 'cel.@mapInsertEntry'),
  'sortBy/2': sortedBy,
  'optMap/2': (call, refuse) => optionalMapped(call, refuse, true),
  'optFlatMap/2': (call, refuse) => optionalMapped(call, refuse, false),
}

/** No name that a person can write. */
const ACCU = '@result'

function presenceTest({ args, position }: CallExpr, refuse: Refuse): Expr {
  const [operand] = args
  if (operand?.kind !== 'select') throw refuse((operand as Expr).position, 'invalid argument to has() macro')
  return { ...operand, test: true, position }
}

interface Names {
  readonly variable: string
  readonly variable2?: string
}

function names({ args }: MethodCall, count: 1 | 2, refuse: Refuse): Names {
  const [variable, variable2] = args.slice(0, count).map((arg) => {
    if (arg.kind !== 'ident') throw refuse(arg.position, 'argument must be a simple name')
    return notAccumulator(arg, refuse)
  })
  if (variable2 !== undefined && variable === variable2) {
    throw refuse((args[1] as Expr).position, `duplicate variable name: ${variable}`)
  }
  return { variable: variable as string, ...(variable2 !== undefined && { variable2 }) }
}

/** The accumulator is called so in the real server; `@result`, as it is here, cannot be written. */
function notAccumulator({ name, position }: IdentExpr, refuse: Refuse): string {
  if (name === '__result__') throw refuse(position, 'iteration variable overwrites accumulator variable')
  return name
}

function mapName({ args }: MethodCall, refuse: Refuse): Names {
  const [arg] = args
  if (arg?.kind !== 'ident') throw refuse((arg as Expr).position, 'argument is not an identifier')
  return { variable: notAccumulator(arg, refuse) }
}

function fold(
  call: MethodCall,
  variables: Names,
  parts: Pick<FoldExpr, 'condition' | 'init' | 'result' | 'step'>,
): Expr {
  const { position, target } = call
  return { kind: 'fold', range: target, ...variables, accu: ACCU, ...parts, position }
}

function all(macro: MethodCall, variables: Names): Expr {
  const { position } = macro
  return fold(macro, variables, {
    init: literal(true, position),
    condition: call('@not_strictly_false', [accu(position)], position),
    step: call('_&&_', [accu(position), last(macro)], position),
    result: accu(position),
  })
}

function exists(macro: MethodCall, variables: Names): Expr {
  const { position } = macro
  const goesOn = call('!_', [accu(position)], position)
  return fold(macro, variables, {
    init: literal(false, position),
    condition: call('@not_strictly_false', [goesOn], position),
    step: call('_||_', [accu(position), last(macro)], position),
    result: accu(position),
  })
}

function existsOne(macro: MethodCall, variables: Names): Expr {
  const { position } = macro
  const counted = call('_+_', [accu(position), literal(1n, position)], position)
  return fold(macro, variables, {
    init: literal(0n, position),
    condition: literal(true, position),
    step: call('_?_:_', [last(macro), counted, accu(position)], position),
    result: call('_==_', [accu(position), literal(1n, position)], position),
  })
}

function mapped(macro: MethodCall, variables: Names): Expr {
  const { position } = macro
  const step = call('_+_', [accu(position), listOfOne(last(macro), position)], position)
  return collected(macro, variables, { kind: 'list', items: [], position }, step)
}

function filtered(macro: MethodCall, refuse: Refuse): Expr {
  const { position, args } = macro
  const step = call('_+_', [accu(position), listOfOne(args[0] as Expr, position)], position)
  return fold(macro, mapName(macro, refuse), {
    init: { kind: 'list', items: [], position },
    condition: literal(true, position),
    step: call('_?_:_', [last(macro), step, accu(position)], position),
    result: accu(position),
  })
}

function mapTransformed(macro: MethodCall, variables: Names, insert: string): Expr {
  const { position } = macro
  const key: Expr = { kind: 'ident', name: variables.variable, position }
  const added = insert === 'cel.@mapInsert' ? [accu(position), key, last(macro)] : [accu(position), last(macro)]
  return collected(macro, variables, { kind: 'map', entries: [], position }, call(insert, added, position))
}

/** With one more argument than names and result, only some are collected. */
function collected(macro: MethodCall, variables: Names, init: Expr, step: Expr): Expr {
  const { position, args } = macro
  const count = variables.variable2 === undefined ? 1 : 2
  const filter = args.length === count + 2 ? args[count] : undefined
  return fold(macro, variables, {
    init,
    condition: literal(true, position),
    step: filter ? call('_?_:_', [filter, step, accu(position)], position) : step,
    result: accu(position),
  })
}

/** `target.sortBy(name, key)`: the keys are made by a `map`, the list is evaluated once. */
function sortedBy(macro: MethodCall, refuse: Refuse): Expr {
  const { target, position } = macro
  const list: Expr = { kind: 'ident', name: '@__sortBy_input__', position }
  const keys = mapped({ ...macro, target: list }, mapName(macro, refuse))
  const sorted: Expr = { kind: 'call', name: '@sortByAssociatedKeys', target: list, args: [keys], position }
  return bound({ name: list.name, value: target }, sorted)
}

/** A fold over nothing whose one accumulator is the name. */
function bound({ name, value }: { readonly name: string; readonly value: Expr }, result: Expr): FoldExpr {
  const { position } = result
  return {
    kind: 'fold',
    range: { kind: 'list', items: [], position },
    variable: '#unused',
    accu: name,
    init: value,
    condition: literal(false, position),
    step: { kind: 'ident', name, position },
    result,
    position,
  }
}

function isBinding({ name, target, args }: CallExpr): boolean {
  return name === 'bind' && args.length === 3 && target?.kind === 'ident' && target.name === 'cel'
}

function namedValue({ args, position }: CallExpr, refuse: Refuse): Expr {
  const [name, value, expr] = args as readonly [Expr, Expr, Expr]
  if (name.kind !== 'ident') throw refuse(name.position, 'cel.bind() variable names must be simple identifiers')
  return { ...bound({ name: name.name, value }, expr), position }
}

/** `target.optMap(name, expr)`. */
function optionalMapped(macro: MethodCall, refuse: Refuse, wrap: boolean): Expr {
  const { target, args, position } = macro
  const [name, expr] = args as readonly [Expr, Expr]
  const title = wrap ? 'optMap()' : 'optFlatMap()'
  if (name.kind !== 'ident') throw refuse(name.position, `${title} variable name must be a simple identifier`)
  const mappedExpr: Expr = { ...bound({ name: name.name, value: method(target, 'value', position) }, expr), position }
  const yes = wrap ? call('optional.of', [mappedExpr], position) : mappedExpr
  return call('_?_:_', [method(target, 'hasValue', position), yes, call('optional.none', [], position)], position)
}

function accu(position: number): Expr {
  return { kind: 'ident', name: ACCU, position }
}

function literal(value: CelValue, position: number): Expr {
  return { kind: 'literal', value, position }
}

function call(name: string, args: readonly Expr[], position: number): Expr {
  return { kind: 'call', name, args, position }
}

function method(target: Expr, name: string, position: number): Expr {
  return { kind: 'call', name, target, args: [], position }
}

function listOfOne(value: Expr, position: number): Expr {
  return { kind: 'list', items: [{ value, optional: false }], position }
}

function last({ args }: CallExpr): Expr {
  return args.at(-1) as Expr
}
