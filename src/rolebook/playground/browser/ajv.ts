/** Stands for ajv in the page: validators that ajv has made when the page was built, so that nothing here is made of text. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { validators } from 'compiled-schemas'
import { hashJson } from '../../../core/base/hash.ts'
import type { JsonObject, JsonValue } from '../../../core/base/json.ts'

/** As ajv makes it: the errors of the last call. */
export interface ValidateFunction {
  (value: JsonValue): boolean
  readonly errors?: readonly ErrorObject[] | null
}

export class Ajv2020 {
  /** The keywords are compiled already. */
  addKeyword(): void {}

  compile(schema: JsonObject): ValidateFunction {
    const found = validators[hashJson(schema)]
    if (!found) throw new Error('cannot check against this schema: it was not there when the page was built')
    return found
  }
}
