import type { JsonPath } from '../../core/base/json.ts'
import type { MigrateErrorCode } from './migrate-errors.ts'

/** Where something stands in the file that is read. */
export interface Place {
  readonly path: JsonPath
  /** In the text of the scalar at `path`. */
  readonly offset?: number | undefined
  readonly at?: 'key' | 'value'
}

/** Something that has no translation which is certain to mean the same: a person must decide. */
export class Undecided extends Error {
  readonly code: MigrateErrorCode
  readonly hint: string | undefined
  /** Filled in from the inside out, where it is known. */
  readonly place: Place | undefined

  constructor(code: MigrateErrorCode, message: string, options: { hint?: string | undefined; place?: Place } = {}) {
    super(message)
    this.code = code
    this.hint = options.hint
    this.place = options.place
  }

  /** The same, at a place, unless it has one; an offset without a path is one in the scalar there. */
  at(place: Place): Undecided {
    const { path = [], offset } = this.place ?? {}
    if (path.length > 0) return this
    const within = offset === undefined ? place.offset : (place.offset ?? 0) + offset
    const { code, message, hint } = this
    return new Undecided(code, message, { hint, place: { ...place, offset: within } })
  }
}

/** Runs `read`; what it leaves undecided without a place gets this one. */
export function placed<Result>(place: Place, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw error instanceof Undecided ? error.at(place) : error
  }
}
