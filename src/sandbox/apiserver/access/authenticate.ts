import type { IncomingMessage } from 'node:http'
import { statusError } from '../api-status.ts'
import { userOfCertificate } from './client-certificate.ts'
import { TokenError, type Tokens } from './tokens.ts'
import { ANONYMOUS, type User } from './user.ts'

/**
 * The user who sent a request, by a client certificate, else by a bearer token. Without either there is no user.
 *
 * @throws ApiError 401
 */
export function authenticate({ headers, socket }: IncomingMessage, tokens: Tokens, now: number): User {
  const certified = userOfCertificate(socket)
  if (certified) return certified
  const { authorization } = headers
  if (authorization === undefined) return ANONYMOUS
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  try {
    return tokens.verify(token, now).user
  } catch (error) {
    if (!(error instanceof TokenError)) throw error
    throw statusError(401, 'Unauthorized', 'Unauthorized')
  }
}
