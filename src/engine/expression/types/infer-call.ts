import type { CallNode, SyntaxNode } from '../syntax-tree.ts'
import { RESULTS, resultOf } from './call-results.ts'
import { complainOfMissing } from './complain-of-missing.ts'
import { extentOf } from './extent.ts'
import type { FunctionSignature, Inference, Place } from './inference.ts'
import { ANY, canBe, describeType, isAlways, optional, type ShapeKind, type Type } from './type.ts'

interface Walk {
  readonly place: Place
  readonly inference: Inference
}

/** The type of a call. `first` is what `~>` hands to it. Complains of arguments that cannot fit. */
export function inferCall(node: CallNode, first: Type | undefined, { place, inference }: Walk): Type {
  // The arguments of a function stand where it has been asked whether they are there.
  const inner = GUARDS.has(node.procedure.type === 'variable' ? node.procedure.value : '') ? guarded(place) : place
  const given = node.arguments.map((arg) => inference.infer(arg, inner))
  const args = first === undefined ? given : [first, ...given]
  const { procedure } = node
  if (procedure.type !== 'variable' || place.locals.has(procedure.value)) {
    inference.infer(procedure, place)
    return ANY
  }
  const signature = inference.signature(procedure.value)
  if (signature === undefined || node.arguments.some(({ type }) => type === 'operator')) return ANY
  checkArguments(node, args, { signature, shift: args.length - given.length, inference })
  if (procedure.value === 'not' && node.arguments[0] !== undefined)
    complainOfMissing('$not', node.arguments[0], given[0] as Type, { place, inference })
  if (procedure.value === 'count' && node.arguments[0] !== undefined && isAlways(given[0] as Type, 'text'))
    complainOfCount(node.arguments[0], inference)
  const isFromContext = args.length === 0 && signature.readsContext(0)
  return typeOfResult(procedure.value, isFromContext ? [place.focus] : args, signature)
}

/** `$count` of a text is always 1, because a text is one value. The author likely meant its length. */
function complainOfCount(argument: SyntaxNode, inference: Inference): void {
  const place = extentOf(argument, inference.source)
  const message = '`$count` of a text is 1, or 0 where there is none'
  const hint = '`$length(…)` counts the characters of a text, `$exists(…)` says whether it is there'
  inference.complain({ code: 'argument', severity: 'warning', message, ...place, hint })
}

/** Functions whose answer says whether something is there. */
const GUARDS: ReadonlySet<string> = new Set(['exists', 'boolean', 'count'])

function guarded(place: Place): Place {
  return { ...place, guarded: true }
}

/** Functions that have a result when they are given nothing. */
const ALWAYS_THERE: ReadonlySet<string> = new Set(['exists', 'count', 'keys', 'merge', 'mergeDeep', 'append', 'zip'])

function typeOfResult(name: string, args: readonly Type[], { definition }: FunctionSignature): Type {
  const type = RESULTS.get(name)?.(args) ?? resultOf(definition)
  const [first] = args
  const mayBeNothing = first === undefined || first.optional
  return mayBeNothing && !ALWAYS_THERE.has(name) ? optional(type) : type
}

interface Check {
  readonly signature: FunctionSignature
  /** How many arguments are not written between the parentheses. */
  readonly shift: number
  readonly inference: Inference
}

function checkArguments(node: CallNode, args: readonly Type[], { signature, shift, inference }: Check): void {
  const index = signature.misfit(args.map((type) => ({ letters: lettersOf(type), items: itemLettersOf(type) })))
  if (index === undefined) return
  const { value: name } = node.procedure as { readonly value: string }
  const argument: SyntaxNode | undefined = node.arguments[index - shift]
  const type = args[index]
  const isTooMany = type === undefined || argument === undefined
  const message = isTooMany
    ? `$${name} does not take these arguments`
    : `argument ${index + 1} of $${name} cannot be ${describeType(type)}`
  const place = extentOf(argument ?? node.procedure, inference.source)
  const hint = hintFor(signature.definition, type)
  inference.complain({ code: 'argument', severity: 'error', message, ...place, hint })
}

function hintFor(definition: string, type: Type | undefined): string | undefined {
  const wantsText = /^<(?:a<)?s/.test(definition)
  if (type !== undefined && wantsText && isAlways(type, 'number', 'boolean')) return '`$string(…)` makes a text of it'
  const wantsNumber = /^<(?:a<)?n/.test(definition)
  if (type !== undefined && wantsNumber && isAlways(type, 'text')) return '`$number(…)` makes a number of it'
  return `its signature is ${definition}`
}

const LETTERS: readonly (readonly [ShapeKind, string])[] = [
  ['text', 's'],
  ['number', 'n'],
  ['boolean', 'b'],
  ['object', 'o'],
  ['list', 'a'],
  ['function', 'f'],
]

/** The letters of the kinds that a value can be; nothing fits nearly everywhere, and is not what a call is for. */
function lettersOf(type: Type): string {
  if (type.shapes === undefined) return 'snboaflm'
  if (type.shapes.length === 0) return 'm'
  return LETTERS.filter(([kind]) => canBe(type, kind))
    .map(([, letter]) => letter)
    .join('')
}

function itemLettersOf({ shapes = [] }: Type): string {
  const items = shapes.flatMap((shape) => (shape.kind === 'list' ? [lettersOf(shape.item)] : []))
  return items.join('')
}
