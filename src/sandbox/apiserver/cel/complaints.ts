import { type CelType, printType } from './cel-type.ts'

/** What the checker says of a call that no signature fits. */
export function noOverload(name: string, args: readonly CelType[], method: boolean): string {
  const types = args.map(printType)
  const receiver = method ? `${types.shift()}.` : ''
  return `found no matching overload for '${name}' applied to '${receiver}(${types.join(', ')})'`
}

/** What it says of `name{…}` where the name has this type. */
export function notMessage(known: CelType): string {
  if (known.kind !== 'type') return `'${known.name}' is not a type`
  return `'${known.params[0]?.name}' is not a message type`
}
