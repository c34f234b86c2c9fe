import type { IncomingHttpHeaders } from 'node:http'

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

export interface User {
  readonly name: string
  readonly groups: readonly string[]
}
