import { CelRuntimeError, noSuchOverload } from './cel-error.ts'
import { isEqual } from './equality.ts'
import { charged, type Frame, type Step } from './plan.ts'
import { elementAt } from './select.ts'
import { CelOptional, type CelValue } from './values.ts'

/** Operators that do not evaluate all their operands, or not all the same way. */
export const OPERATORS: Readonly<Record<string, (a: Step, b: Step, c: Step) => Step>> = {
  '_&&_': (a, b) => logical(a, b, false),
  '_||_': (a, b) => logical(a, b, true),
  '_?_:_': (condition, yes, no) => (frame) => {
    const decided = condition(frame)
    if (typeof decided !== 'boolean') throw new CelRuntimeError('no such overload')
    return decided ? yes(frame) : no(frame)
  },
  '_==_': (a, b) => charged((frame) => isEqual(a(frame), b(frame))),
  '_!=_': (a, b) => charged((frame) => !isEqual(a(frame), b(frame))),
  '_[_]': (a, b) => charged((frame) => elementAt(a(frame), b(frame))),
  '_?._': optionalElement,
  '_[?_]': optionalElement,
  '@not_strictly_false': (a) => (frame) => attempt(a, frame) !== false,
}

function optionalElement(operand: Step, key: Step): Step {
  return (frame) => {
    frame.spend(1)
    const value = operand(frame)
    const inner = value instanceof CelOptional ? value.value : value
    if (inner === undefined) return CelOptional.none
    try {
      const found = elementAt(inner, key(frame))
      return found instanceof CelOptional ? found : new CelOptional(found)
    } catch (error) {
      if (error instanceof CelRuntimeError && /^no such key|^index out of bounds/.test(error.message)) {
        return CelOptional.none
      }
      throw error
    }
  }
}

/** `&&` and `||`: an operand that decides makes up for an error in the other one. */
function logical(a: Step, b: Step, deciding: boolean): Step {
  return (frame) => {
    const left = attempt(a, frame)
    if (left === deciding) return deciding
    const right = attempt(b, frame)
    if (right === deciding) return deciding
    if (left instanceof CelRuntimeError) throw left
    if (right instanceof CelRuntimeError) throw right
    if (typeof left !== 'boolean' || typeof right !== 'boolean') throw noSuchOverload()
    return !deciding
  }
}

/** An error as a value. */
export function attempt(step: Step, frame: Frame): CelValue | CelRuntimeError {
  try {
    return step(frame)
  } catch (error) {
    if (error instanceof CelRuntimeError) return error
    throw error
  }
}
