import { type FieldError, printFieldError } from './field-error.ts'

/** What one check of a value found. */
export interface ValidationResult {
  readonly errors: readonly FieldError[]
  /** How many checks took part: of several failed alternatives, the one with most is reported. */
  readonly matches: number
}

export const NOTHING_FOUND: ValidationResult = { errors: [], matches: 0 }

export function found(...errors: readonly FieldError[]): ValidationResult {
  return { errors, matches: 0 }
}

export function counted(matches: number, ...errors: readonly FieldError[]): ValidationResult {
  return { errors, matches }
}

/** All errors, each once, and all matches. */
export function mergeResults(results: readonly ValidationResult[]): ValidationResult {
  const byText = new Map<string, FieldError>()
  let matches = 0
  for (const result of results) {
    matches += result.matches
    for (const error of result.errors) {
      const text = printFieldError(error)
      if (!byText.has(text)) byText.set(text, error)
    }
  }
  return { errors: [...byText.values()], matches }
}

/** An error about a value of a field: the name of the field is part of its text. */
export function invalid(path: string, value: FieldError['value'], complaint: string): FieldError {
  return { type: 'Invalid', field: fieldOf(path), detail: `${path} in body ${complaint}`, value }
}

/** An error that names no field. */
export function invalidObject(detail: string): FieldError {
  return { type: 'Invalid', field: '', detail, value: '' }
}

/** Paths of fields of the root begin with a dot when no property declares them. */
export function fieldOf(path: string): string {
  return path.startsWith('.') ? path.slice(1) : path
}
