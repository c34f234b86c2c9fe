/** An error with a stable code, so that callers and tests never look at its text. */
export class CodedError extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

/** The message of anything that was thrown, with the messages of its causes; one that repeats its cause is printed once. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause === undefined) return error.message
  const cause = explain(error.cause)
  return cause.startsWith(error.message) ? cause : `${error.message}: ${cause}`
}
