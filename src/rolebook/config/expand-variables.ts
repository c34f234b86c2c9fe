import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** An environment variable that is used and not set. */
export interface UnsetVariable {
  readonly name: string
  readonly path: JsonPath
  /** Of `$(` in the text at `path`. */
  readonly offset: number
}

/**
 * Fills `$(NAME)` in the texts of a value with environment variables; `$$(NAME)` is the text `$(NAME)`. The result is text, never read
 * again: what a variable holds is data.
 */
export function expandVariables(
  value: JsonObject,
  environment: Environment,
): { readonly value: JsonObject; readonly unset: readonly UnsetVariable[] } {
  const unset: UnsetVariable[] = []
  const expand = (here: JsonValue, path: JsonPath): JsonValue => {
    if (typeof here === 'string')
      return expandText(here, environment, (name, offset) => unset.push({ name, path, offset }))
    if (isJsonArray(here)) return here.map((item, index) => expand(item, [...path, index]))
    if (!isJsonObject(here)) return here
    return Object.fromEntries(
      Object.entries(here).map(([key, inner]) => [key, expand(inner as JsonValue, [...path, key])]),
    )
  }
  return { value: expand(value, []) as JsonObject, unset }
}

function expandText(text: string, environment: Environment, onUnset: (name: string, offset: number) => void): string {
  return text.replace(/(\$?)\$\(([A-Za-z_][A-Za-z0-9_]*)\)/g, (whole, dollar: string, name: string, offset: number) => {
    if (dollar !== '') return whole.slice(1)
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined
    if (value === undefined) onUnset(name, offset)
    return value ?? ''
  })
}
