import { CodedError } from './coded-error.ts'

/** A value has more levels than a recursive walk can descend. Real data has less than 50, the stack room for some thousands. */
export class NestedTooDeeply extends CodedError {
  constructor(options?: ErrorOptions) {
    super('NestedTooDeeply', 'cannot read a value: it is nested thousands of levels deep (make it flatter)', options)
  }
}

/**
 * What a recursive walk over an untrusted value comes to. A check of the depth would walk all values twice for the sake of
 * hostile ones, so the full stack is what is noticed.
 *
 * @throws NestedTooDeeply when the value is nested too deeply for the walk
 */
export function walkDown<Result>(walk: () => Result): Result {
  try {
    return walk()
  } catch (error) {
    if (error instanceof RangeError && error.message.includes('call stack')) throw new NestedTooDeeply({ cause: error })
    throw error
  }
}
