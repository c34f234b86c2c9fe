import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Script } from 'node:vm'
import type { JsonObject, JsonValue } from '../../../src/core/base/json.ts'

/** What the library makes of an expression. */
export type Outcome =
  | { readonly value: unknown }
  | { readonly code: string; readonly position: number; readonly token: string | undefined }

type Library = (
  source: string,
  options: { timeout: number },
) => { evaluate(input: unknown, bindings: JsonObject): Promise<unknown> }

const path = createRequire(import.meta.url).resolve('jsonata')
/** The library compiled once: to run it again costs little. */
const script = new Script(`(function (module, exports) {${readFileSync(path, 'utf8')}\n})`, { filename: path })
let shared = load()

/** The library evaluates, over copies: it marks the lists that it meets. Its functions remember where they were last called, so errors need a `fresh` one. */
export async function evaluateWithLibrary(
  source: string,
  { input, bindings = {}, fresh = false }: { input: JsonValue | undefined; bindings?: JsonObject; fresh?: boolean },
): Promise<Outcome> {
  if (fresh) shared = load()
  try {
    return {
      value: await shared(source, { timeout: 2000 }).evaluate(
        structuredClone(input),
        structuredClone(bindings) as JsonObject,
      ),
    }
  } catch (error) {
    return outcomeOf(error)
  }
}

function load(): Library {
  const module: { exports: unknown } = { exports: {} }
  const run = script.runInThisContext() as (module: object, exports: unknown) => void
  run(module, module.exports)
  return module.exports as Library
}

/** -1 and `undefined` stand for what an error does not say, `defect` for what is not an error of the language. */
function outcomeOf(error: unknown): Outcome {
  const { code, position, token } = error as { code?: string; position?: number; token?: unknown }
  return {
    code: code ?? 'defect',
    position: position ?? -1,
    token: token === undefined ? undefined : String(token),
  }
}
