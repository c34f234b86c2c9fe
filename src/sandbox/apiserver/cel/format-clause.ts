/** Where a text that is formatted has a value, or `%%`. */
export const CLAUSE = /%(?:%|\.\d*(?:[\s\S])?|[\s\S]|$)/gu

export const END_OF_TEXT = 'unexpected end of string'

export interface FormatClause {
  readonly verb: string
  readonly precision?: number
  /** Why it is none, in the words of the real server. */
  readonly problem?: string
}

/** Reads `%d`, `%.2f`. Whether there is such a verb is for others to say. */
export function readClause(clause: string): FormatClause {
  if (clause === '%') return { verb: '', problem: END_OF_TEXT }
  const [, digits, verb = ''] = /^%(?:\.(\d*))?(.?)$/su.exec(clause) as RegExpExecArray
  if (digits === undefined) return { verb }
  if (verb === '') return { verb, problem: wrongPrecision('could not find end of precision specifier') }
  if (digits !== '') return { verb, precision: Number(digits) }
  const cause = 'strconv.Atoi: parsing "": invalid syntax'
  return { verb, problem: wrongPrecision(`error while converting precision to integer: ${cause}`) }
}

export function unrecognizedClause(verb: string): string {
  return `could not parse formatting clause: unrecognized formatting clause "${verb}"`
}

function wrongPrecision(cause: string): string {
  return `could not parse formatting clause: error while parsing precision: ${cause}`
}
