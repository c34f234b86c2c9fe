import type { ErrorObject } from 'ajv/dist/2020.js'

/**
 * Picks the useful errors from all that the validator found.
 *
 * Each branch of alternatives (`oneOf`, `anyOf`) has errors. Those of the branch that the author most probably meant are kept.
 * Alternatives that differ in the key that they require are kept as one error.
 */
export function pickErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const wrongTypes = new Set(errors.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath))
  let kept = errors.filter((error) => !isEcho(error, wrongTypes))
  // Inner alternatives come before outer ones.
  for (const choice of kept.filter(isChoice)) kept = settle(choice, kept)
  return kept
}

/** Says nothing that another error does not say better. */
function isEcho({ keyword, params, instancePath }: ErrorObject, wrongTypes: ReadonlySet<string>): boolean {
  if (keyword === 'if' || keyword === 'propertyNames') return true
  // Every branch that only wants keys lets pass what is not a map.
  return keyword === 'oneOf' && params.passingSchemas !== null && wrongTypes.has(instancePath)
}

function isChoice({ keyword }: ErrorObject): boolean {
  return keyword === 'oneOf' || keyword === 'anyOf'
}

function settle(choice: ErrorObject, errors: readonly ErrorObject[]): ErrorObject[] {
  const prefix = `${choice.schemaPath}/`
  const isInside = (error: ErrorObject): boolean =>
    error.schemaPath.startsWith(prefix) && error.instancePath.startsWith(choice.instancePath)
  const inside = errors.filter(isInside)
  const others = errors.filter((error) => !isInside(error))
  if (inside.length === 0 || inside.every((error) => isAboutKeys(error, choice))) return others
  const replacement = meantBranch(inside, choice, prefix)
  return others.flatMap((error) => (error === choice ? replacement : [error]))
}

/** The alternatives say nothing but which key must be there. */
function isAboutKeys(error: ErrorObject, choice: ErrorObject): boolean {
  return error.keyword === 'required' && error.instancePath === choice.instancePath
}

function meantBranch(inside: readonly ErrorObject[], choice: ErrorObject, prefix: string): readonly ErrorObject[] {
  const branches = Map.groupBy(inside, (error) => error.schemaPath.slice(prefix.length).split('/')[0])
  const isWrongType = (error: ErrorObject): boolean =>
    error.keyword === 'type' && error.instancePath === choice.instancePath
  const fitting = [...branches.values()].filter((branch) => !branch.some(isWrongType))
  if (fitting.length === 0) return [anyOfTypes(inside.filter(isWrongType))]
  return fitting.reduce((best, branch) => (branch.length < best.length ? branch : best))
}

function anyOfTypes(errors: readonly ErrorObject[]): ErrorObject {
  const [first] = errors as [ErrorObject]
  return { ...first, params: { type: errors.flatMap((error) => error.params.type as string | string[]) } }
}
