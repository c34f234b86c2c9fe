import { goJsonError } from './go-json-error.ts'

/** What Go says about JSON that V8 could not read: what is broken to one is broken to the other. */
export function goSyntaxError(text: string): string {
  return String(goJsonError(text))
}
