import { isJsonObject } from '../../base/json.ts'
import { badRequest } from '../api-status.ts'

/** Where the next page of a list begins, and as of which revision; -1 is "as of now", after the first one expired. */
export interface ContinueToken {
  readonly revision: number
  /** The key of the last object of the page before. */
  readonly after: string
}

export function encodeContinueToken({ revision, after }: ContinueToken): string {
  const token = { v: 'meta.k8s.io/v1', rv: revision, start: `${after}\u0000` }
  return Buffer.from(JSON.stringify(token)).toString('base64url')
}

/** @throws ApiError 400 */
export function decodeContinueToken(text: string): ContinueToken {
  const token = parse(text)
  if (!isJsonObject(token))
    throw badRequest(`${PREFIX}invalid character ${firstCharacter(text)} looking for beginning of value`)
  const { v, rv, start } = token
  if (v !== 'meta.k8s.io/v1') throw badRequest(`${PREFIX}server does not recognize this encoded version`)
  if (typeof rv !== 'number' || typeof start !== 'string' || rv === 0) {
    throw badRequest(`${PREFIX}incorrect encoded start resourceVersion (version meta.k8s.io/v1)`)
  }
  return { revision: rv, after: start.endsWith('\u0000') ? start.slice(0, -1) : start }
}

const PREFIX = 'invalid continue token: continue key is not valid: '

function firstCharacter(token: string): string {
  return `'${Buffer.from(token, 'base64url').toString('latin1').charAt(0)}'`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}
