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
  return [...text.matchAll(/(?:\\.|[^,\\])+/gs)].map(([term]) => parseTerm(term, text))
}

const TERM = /^((?:\\.|[^=!\\])*?)(!=|==|=)(.*)$/s

function parseTerm(term: string, whole: string): FieldRequirement {
  const [, field, operator, value] = TERM.exec(term) ?? []
  if (field === undefined || value === undefined) {
    throw badRequest(`invalid selector: '${whole}'; can't understand '${term}'`)
  }
  return { field, value: value.replace(/\\([\\,=])/g, '$1'), equal: operator !== '!=' }
}
