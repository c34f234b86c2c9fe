import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { statusError } from '../api-status.ts'
import { AUTHENTICATED, type User } from './user.ts'

/**
 * Who the client's certificate says they are: the common name is the user, the organisations are the groups. `undefined`
 * when none was shown.
 *
 * @throws ApiError 401 when it is not one of ours
 */
export function userOfCertificate(socket: Socket): User | undefined {
  if (!('getPeerCertificate' in socket)) return undefined
  const tls = socket as TLSSocket
  const { subject } = tls.getPeerCertificate()
  if (!subject) return undefined
  if (!tls.authorized) throw statusError(401, 'Unauthorized', 'Unauthorized')
  const [name = ''] = [subject.CN].flat()
  const groups = [subject.O ?? []].flat()
  return { name, groups: [...groups, AUTHENTICATED] }
}
