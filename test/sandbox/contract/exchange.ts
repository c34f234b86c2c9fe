import type { JsonValue } from '../../../src/core/base/json.ts'

/**
 * One request of a script, answered alike by the sandbox and by a real kube-apiserver.
 *
 * In paths, headers and bodies, `{ns}` is the namespace of the run, `{<step>.uid}` and `{<step>.rv}` stand for the uid and the
 * resourceVersion in the answer of an earlier step, `{<step>.continue}` for the token of a list, `{<step>.token}` for the token of an account. `{hook}` is where the webhooks
 * of the run are, and `{hook.ca}` their authority as `caBundle`.
 */
export interface Step {
  /** Says what is tried; unique in its script. */
  readonly name: string
  readonly method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: JsonValue
  /** Instead of `body`, as it stands. */
  readonly text?: string
  /** Why the sandbox answers otherwise; the step is then run and not compared. */
  readonly differs?: string
  /** Why the real server may answer otherwise when it is busy; the sandbox then has to answer as was recorded. */
  readonly unpromised?: string
  /** Ask again until the status is this one, or the answer so (what a controller does in its own time). */
  readonly until?: number | ((body: JsonValue) => boolean)
  /** The real server answers in the order of a Go map (causes of a refusal, first frames of a watch): any order is right. */
  readonly unordered?: true
  /**
   * A watch that goes on while later steps run: they begin once the server has taken it, and its answer is all that came
   * until its `timeoutSeconds` were over.
   */
  readonly background?: true
  /** Names of headers of the answer, in small letters, that are compared, too. */
  readonly shows?: readonly string[]
  /** Only the hash of the body is kept: it is too long to be read, and so is the same of both servers or is not. */
  readonly asHash?: true
  /** How this name is shown in later steps. Defaults to the name. */
  readonly as?: string
}

export interface Answer {
  readonly status: number
  readonly contentType: string
  readonly warnings?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** Parsed when it is JSON; of a watch, one item a line. */
  readonly body: JsonValue
}

/** Sends one request. */
export type Send = (request: Request) => Promise<Reply>

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Called when the head of the answer is there; the rest of it may take long. */
  readonly onHead?: () => void
}

export interface Reply {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly text: string
}

/** In the place of an answer, when the server breaks the connection off. */
export const BROKEN_OFF: Reply = { status: 0, headers: {}, text: '' }
