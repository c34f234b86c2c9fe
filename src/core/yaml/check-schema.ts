import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonObject, JsonPath, JsonValue } from '../base/json.ts'
import { describeSchemaError } from './describe-schema-error.ts'
import { type Diagnostic, diagnosticAt, type Problem } from './diagnostic.ts'
import type { ParsedYaml } from './parsed-yaml.ts'
import { pickErrors } from './pick-schema-errors.ts'

export interface SchemaProblem {
  readonly path: JsonPath
  readonly at: 'key' | 'value'
  readonly problem: Problem
}

/**
 * A JSON schema (2020-12) that checks many values. It is compiled for the first of them: most starts of the program
 * need few of its schemas.
 *
 * Beside the standard keywords, `explain` holds the message for people when the `pattern` next to it does not match.
 */
export class SchemaChecker {
  readonly #schema: JsonObject
  #compiled: ValidateFunction | undefined

  constructor(schema: JsonObject) {
    this.#schema = schema
  }

  /** Messages say the type of a value, never the value. */
  check(value: JsonValue): readonly SchemaProblem[] {
    this.#compiled ??= compile(this.#schema)
    if (this.#compiled(value)) return []
    return pickErrors(this.#compiled.errors as ErrorObject[]).map((error) => toProblem(error, value))
  }
}

function compile(schema: JsonObject): ValidateFunction {
  // Optimizing the code takes twice as long as generating it, and it runs for a few documents only.
  return withKeywords(new Ajv2020({ ...SCHEMA_OPTIONS, code: { optimize: false } })).compile(schema)
}

/** How validators are made. Our own schemas need no check against the schema of schemas, which takes longer to compile than they do. */
export const SCHEMA_OPTIONS = {
  ...{ meta: false, validateSchema: false, strictTypes: false, strictRequired: false },
  ...{ allErrors: true, verbose: true },
} as const

export function withKeywords(ajv: Ajv2020): Ajv2020 {
  ajv.addKeyword({ keyword: 'explain', schemaType: 'string' })
  return ajv
}

/** What a schema does not allow in a document, where it stands. */
export function locateProblems(document: ParsedYaml, problems: readonly SchemaProblem[]): readonly Diagnostic[] {
  return problems.map(({ path, at, problem }) => diagnosticAt(document.locate(path, at), problem))
}

function toProblem(error: ErrorObject, value: JsonValue): SchemaProblem {
  const { problem, key } = describeSchemaError(error)
  const path = toPath(error.instancePath, value)
  return key === undefined ? { path, at: 'value', problem } : { path: [...path, key], at: 'key', problem }
}

/** A JSON pointer to a path: only the value knows which steps are indexes. */
function toPath(pointer: string, value: JsonValue): JsonPath {
  const path: (string | number)[] = []
  let here: unknown = value
  for (const escaped of pointer.split('/').slice(1)) {
    const step = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
    path.push(Array.isArray(here) ? Number(step) : step)
    here = (here as Record<string, unknown> | undefined)?.[step]
  }
  return path
}
