import { anyFieldOf, type Flow, FROM_ROLE, fieldOf, mixed, ROLE_MARK, unionOf, worstOf } from './flow.ts'

/** A call of a function of the language: what flows into its arguments, and those that are literal text. */
export interface BuiltinCall {
  readonly args: readonly Flow[]
  readonly texts: readonly (string | undefined)[]
}

/** What flows out of a call. A function that is not among these lets everything through. */
export function callFlow(name: string, { args, texts }: BuiltinCall): Flow {
  return (CALLS[name] ?? mixedCall)({ args, texts })
}

type CallFlow = (call: BuiltinCall) => Flow

const mixedCall: CallFlow = ({ args }) => mixed(...args)

/** Says something about a value that is not the value: a digest, a number of characters, yes or no. */
const nothing: CallFlow = () => FROM_ROLE

/** Gives what it was given, in another order or only some of it. */
const same: CallFlow = ({ args: [first = FROM_ROLE] }) => first

const either: CallFlow = ({ args }) => unionOf(...args)

const CALLS: Readonly<Record<string, CallFlow>> = {
  sha256: nothing,
  exists: nothing,
  count: nothing,
  length: nothing,
  boolean: nothing,
  not: nothing,
  type: nothing,
  contains: nothing,
  isReady: nothing,
  assert: nothing,
  error: nothing,
  distinct: same,
  reverse: same,
  sort: same,
  single: same,
  filter: same,
  sift: same,
  append: either,
  merge: either,
  mergeDeep: either,
  zip: either,
  condition: ({ args: [object = FROM_ROLE] }) => mixed(fieldOf(object, 'status')),
  keys: ({ args: [object = FROM_ROLE] }) => ({ rest: object.names ?? ROLE_MARK }),
  entries: ({ args: [object = FROM_ROLE] }) => ({
    rest: ROLE_MARK,
    fields: new Map([
      ['key', { rest: object.names ?? ROLE_MARK }],
      ['value', anyFieldOf(object)],
    ]),
  }),
  lookup: ({ args: [object = FROM_ROLE], texts: [, name] }) =>
    name === undefined ? anyFieldOf(object) : fieldOf(object, name),
  map: ({ args: [list = FROM_ROLE, each] }) => called(each, [list, FROM_ROLE, list]),
  each: ({ args: [object = FROM_ROLE, each] }) =>
    called(each, [anyFieldOf(object), { rest: object.names ?? ROLE_MARK }, object]),
  reduce: ({ args: [list = FROM_ROLE, step, start = FROM_ROLE] }) => {
    const once = called(step, [unionOf(list, start), list])
    return unionOf(start, list, called(step, [unionOf(once, list, start), list]))
  },
}

function called(fn: Flow | undefined, args: readonly Flow[]): Flow {
  return fn?.call ? fn.call(args) : mixed(...args, ...(fn ? [fn] : []))
}

/** The index of the argument that a function shows in the message of its failure. */
const SHOWN_IN_FAILURE: Readonly<Record<string, number>> = { error: 0, assert: 1 }

/** What flows into the message of the error that a call may throw. */
export function errorFlow(name: string, { args }: BuiltinCall): Flow {
  const place = SHOWN_IN_FAILURE[name]
  const shown = place === undefined ? undefined : args[place]
  return shown ? { rest: worstOf(shown) } : FROM_ROLE
}
