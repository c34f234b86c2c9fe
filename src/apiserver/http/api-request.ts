import type { IncomingHttpHeaders } from 'node:http'
import type { User } from '../access/tokens.ts'

/** One request, its body read and its caller known. */
export interface ApiRequest {
  readonly method: string
  /** Without the query, percent signs decoded segment by segment. */
  readonly path: string
  readonly segments: readonly string[]
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly user: User
  readonly body: Buffer
  /** Adds a `Warning` header to the answer. */
  warn(text: string): void
}
