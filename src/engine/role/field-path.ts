import type { Problem } from '../../core/yaml/diagnostic.ts'

/** A step to a field by its name, or to an item of a list by fields of it. */
export type FieldStep = string | { readonly keys: Readonly<Record<string, string>> }
export type FieldPath = readonly [string, ...FieldStep[]]

const NAME = /([A-Za-z_$][\w$-]*)/y
const QUOTED = /\['([^']+)'\]/y
const ITEM = /\[([A-Za-z_]\w*=[^\],[]+(?:,[A-Za-z_]\w*=[^\],[]+)*)\]/y

/** What a text such as `a.b`, `a['x.y']` or `a[name=v].c` points at, or what is wrong with it. */
export function parseFieldPath(text: string): { readonly path: FieldPath } | { readonly problem: Problem } {
  const steps: FieldStep[] = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match) at = pattern.lastIndex
    return match?.[1]
  }
  while (at < text.length) {
    const isNamed = steps.length === 0 || text[at] === '.'
    if (isNamed && steps.length > 0) at += 1
    const keys = isNamed ? undefined : take(ITEM)
    const step = isNamed ? take(NAME) : (take(QUOTED) ?? (keys === undefined ? undefined : { keys: keysOf(keys) }))
    if (step === undefined) return { problem: malformed(text) }
    steps.push(step)
  }
  const [first, second] = steps
  if (typeof first !== 'string') return { problem: malformed(text) }
  if (isKept(first, second)) return { problem: kept(text) }
  return { path: [first, ...steps.slice(1)] }
}

function keysOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return [name, value.join('=').replace(/^'(.*)'$/, '$1')]
    }),
  )
}

/** What an object is called and whose it is stays the engine's. */
function isKept(first: string, second: FieldStep | undefined): boolean {
  if (first === 'apiVersion' || first === 'kind') return true
  return first === 'metadata' && second !== 'labels' && second !== 'annotations'
}

function malformed(text: string): Problem {
  const hint = "write it like `spec.replicas`, `metadata.annotations['x.y/z']` or `spec.containers[name=web].image`"
  return { code: 'RB1110', message: `"${text}" is not a path of a field`, hint }
}

function kept(text: string): Problem {
  const hint = 'labels, annotations and everything outside of `metadata` can be'
  return { code: 'RB1110', message: `\`${text}\` cannot be handed over`, hint }
}
