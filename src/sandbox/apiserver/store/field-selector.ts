import { badRequest } from '../api-status.ts'

export interface FieldRequirement {
  readonly field: string
  readonly value: string
  /** False: the value must differ. */
  readonly equal: boolean
}

/**
 * `status.phase=Running,spec.nodeName!=a`; backslashes escape commas, equal signs and themselves.
 *
 * @throws ApiError 400
 */
export function parseFieldSelector(text: string): readonly FieldRequirement[] {
  const terms = [...text.matchAll(/(?:\\.|[^,\\]|\\$)+/gs)].map(([term]) => term)
  const requirements = terms.sort().map((term) => parseTerm(term, text))
  // What asks for nothing of nothing is no term to the real server.
  return requirements.filter(({ field, value }) => field !== '' || value !== '')
}

const TERM = /^([^=!]*(?:!(?!=)[^=!]*)*)(!=|==|=)(.*)$/s

function parseTerm(term: string, whole: string): FieldRequirement {
  const [, field, operator, value] = TERM.exec(term) ?? []
  if (field === undefined || value === undefined) {
    throw badRequest(`invalid selector: '${whole}'; can't understand '${term}'`)
  }
  return { field, value: unescapeValue(value), equal: operator !== '!=' }
}

function unescapeValue(text: string): string {
  const rest = text.replace(/\\[\\,=]/g, '')
  const [wrong] = /\\(?:.|$)|=/su.exec(rest) ?? []
  if (wrong === '=') throw refuse(`unescaped character in value: ${'='.charCodeAt(0)}`)
  if (wrong !== undefined) throw refuse(`invalid escape sequence: ${wrong}`)
  return text.replace(/\\([\\,=])/g, '$1')
}

function refuse(cause: string): Error {
  return badRequest(`invalid field selector: ${cause}`)
}
