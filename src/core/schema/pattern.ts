import { compileGoRegex, type Regex } from '../base/regex.ts'

const compiled = new Map<string, Regex | Error>()
const MAX_COMPILED = 2000

/** Whether a `pattern` of a schema is found in a text. An error for a pattern that cannot be compiled. */
export function matchesPattern(text: string, pattern: string): boolean | Error {
  let regex = compiled.get(pattern)
  if (regex === undefined) {
    if (compiled.size >= MAX_COMPILED) compiled.clear()
    regex = compileGoPattern(pattern)
    compiled.set(pattern, regex)
  }
  return regex instanceof Error ? regex : regex.exec(text, 0) !== undefined
}

/** A regular expression as Go writes it, compiled; an error, in Go's words, for one that Go refuses. */
export function compileGoPattern(pattern: string): Regex | Error {
  try {
    return compileGoRegex(pattern)
  } catch (error) {
    const { message } = error as Error
    return new Error(message.endsWith('trailing backslash at end of expression') ? `${message}: \`\`` : message)
  }
}
