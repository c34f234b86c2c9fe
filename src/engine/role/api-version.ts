import type { JsonObject } from '../../core/base/json.ts'

/** The version of the language of roles and of `watches.yaml`. What it promises stands in `docs/stability.md`. */
export const API_VERSION = 'rolebook.dev/v1'

/** @param instead what else the key may have been meant for, beside a later version */
export function apiVersionSchema(instead: string): JsonObject {
  return {
    description: `The version of the language, \`${API_VERSION}\`: the same without the key.`,
    type: 'string',
    pattern: `^${API_VERSION.replace('.', '\\.')}$`,
    explain: `must be ${API_VERSION}, the version of the language: ${instead}`,
  }
}
