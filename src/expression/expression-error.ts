import { CodedError } from '../base/coded-error.ts'

/** syntax: found at load. type, evaluation: the data does not fit. limit: a budget ran out. */
export type ExpressionPhase = 'syntax' | 'type' | 'evaluation' | 'limit'

export interface ExpressionErrorOptions extends ErrorOptions {
  /** 0-based offset just after the token, as JSONata counts. Defaults to -1: unknown. */
  readonly position?: number | undefined
  readonly token?: string | undefined
}

/**
 * What is wrong with an expression or its evaluation.
 *
 * `code` is JSONata's own (`S0201`, `T2001`, `D1001`) where it has one, else ours (`E…`). The message never holds a value
 * of the data: it may be secret.
 */
export class ExpressionError extends CodedError {
  readonly phase: ExpressionPhase
  readonly position: number
  readonly token: string | undefined

  constructor(phase: ExpressionPhase, code: string, message: string, options: ExpressionErrorOptions = {}) {
    super(code, message, options)
    this.phase = phase
    this.position = options.position ?? -1
    this.token = options.token
  }

  static limit(code: string, message: string): ExpressionError {
    return new ExpressionError('limit', code, message)
  }
}
