import type { IncomingHttpHeaders } from 'node:http'
import type { JsonValue } from '../../../core/base/json.ts'
import type { User } from '../access/user.ts'
import type { OutsideAnswers } from '../write/outside-answers.ts'

/** From the text of one YAML document to data; throws when it is none. `duplicates` are complaints about keys that stand twice. */
export type ParseYaml = (text: string) => { readonly value: JsonValue; readonly duplicates: readonly string[] }

/** One YAML document. */
export type PrintYaml = (value: JsonValue) => string

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
  /** Absent: bodies in YAML are not understood. */
  readonly parseYaml?: ParseYaml | undefined
  /** Absent: nothing is answered in YAML. */
  readonly printYaml?: PrintYaml | undefined
  /** What webhooks have said about it. */
  readonly outside: OutsideAnswers
  /** Adds a `Warning` header to the answer. */
  warn(text: string): void
}
