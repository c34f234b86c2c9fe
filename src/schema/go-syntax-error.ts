import { goJsonError } from './go-json-error.ts'

/** What Go says about JSON that V8 could not read, for a cause of its own. */
export function goSyntaxError(text: string, cause: string): string {
  return goJsonError(text) ?? cause
}
