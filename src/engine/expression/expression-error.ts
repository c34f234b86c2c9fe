import { CodedError } from '../../core/base/coded-error.ts'
import { type JsonPath, printPath } from '../../core/base/json.ts'

/** syntax: found at load. type, evaluation: the data does not fit. limit: a budget ran out. */
export type ExpressionPhase = 'syntax' | 'type' | 'evaluation' | 'limit'

export interface ExpressionErrorOptions extends ErrorOptions {
  /** 0-based offset just after the token, as JSONata counts. Defaults to -1: unknown. */
  readonly position?: number | undefined
  readonly token?: string | undefined
  /** The field whose expression it is. */
  readonly field?: string | undefined
}

/**
 * What is wrong with an expression or its evaluation.
 *
 * `code` is JSONata's own (`S0201`, `T2001`, `D1001`) where it has one, else ours (`E…`). The message never holds a value
 * of the data: it may be secret.
 */
export class ExpressionError extends CodedError {
  readonly phase: ExpressionPhase
  readonly field: string | undefined
  #position: number
  #token: string | undefined

  constructor(phase: ExpressionPhase, code: string, message: string, options: ExpressionErrorOptions = {}) {
    super(code, message, options)
    this.phase = phase
    this.field = options.field
    this.#position = options.position ?? -1
    this.#token = options.token
  }

  get position(): number {
    return this.#position
  }

  get token(): string | undefined {
    return this.#token
  }

  /** For the evaluator alone: says where it happened while the error is on its way out. */
  place(position: number, token: string | undefined): void {
    this.#position = position
    this.#token = token
  }

  static limit(code: string, message: string): ExpressionError {
    return new ExpressionError('limit', code, message)
  }
}

/** A text with `${ … }` that cannot be a template: where in the tree, and where in that text. */
export class TemplateError extends CodedError {
  readonly path: JsonPath
  /** 0-based offset in the text at `path`. -1: unknown. */
  readonly offset: number

  constructor(code: string, message: string, options: ErrorOptions & { path: JsonPath; offset: number }) {
    super(code, message, options)
    this.path = options.path
    this.offset = options.offset
  }
}

/** What an expression reads, for messages that say why its value is missing. */
export interface ExpressionReads {
  readonly source: string
  readonly variables: ReadonlySet<string>
  readonly inputPaths: readonly JsonPath[]
}

/** A value that is needed yields nothing: not an error of the expression, perhaps not there yet. */
export class MissingValueError extends CodedError {
  readonly path: JsonPath
  readonly expression: ExpressionReads
  /** The path as messages show it, or another place where the value is missing. */
  readonly place: string

  constructor(path: JsonPath, expression: ExpressionReads, place = printPath(path)) {
    super('MissingValue', `${place} has no value: the expression yields nothing`)
    this.place = place
    this.path = path
    this.expression = expression
  }
}
