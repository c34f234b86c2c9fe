import { createRequire } from 'node:module'
import type { JsonObject, JsonValue } from '../../src/base/json.ts'

/** What the library makes of an expression. */
export type Outcome =
  | { readonly value: unknown }
  | { readonly code: string; readonly position: number; readonly token: string | undefined }

type Library = (
  source: string,
  options: { timeout: number },
) => { evaluate(input: unknown, bindings: JsonObject): Promise<unknown> }

const require = createRequire(import.meta.url)
const path = require.resolve('jsonata')

/** The library evaluates. Its functions remember where they were last called, so errors need a `fresh` one. */
export async function evaluateWithLibrary(
  source: string,
  { input, bindings = {}, fresh = false }: { input: JsonValue | undefined; bindings?: JsonObject; fresh?: boolean },
): Promise<Outcome> {
  if (fresh) delete require.cache[path]
  const library = require('jsonata') as Library
  try {
    return { value: await library(source, { timeout: 2000 }).evaluate(structuredClone(input), bindings) }
  } catch (error) {
    return outcomeOf(error)
  }
}

/** -1 and `undefined` stand for what an error does not say, `defect` for what is no error of the language. */
function outcomeOf(error: unknown): Outcome {
  const { code, position, token } = error as { code?: string; position?: number; token?: unknown }
  return {
    code: code ?? 'defect',
    position: position ?? -1,
    token: token === undefined ? undefined : String(token),
  }
}
