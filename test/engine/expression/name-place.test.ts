import { expect } from 'chai'
import { ExpressionError } from '../../../src/engine/expression/expression-error.ts'
import { namePlace } from '../../../src/engine/expression/name-place.ts'

describe('namePlace', () => {
  const cases: readonly { name: string; place: string; token?: string; message: string }[] = [
    { name: 'place, code and token', place: 'spec.a', token: '+', message: 'spec.a: T2001: no number (at `+`)' },
    { name: 'no token when there is none', place: 'spec.a', message: 'spec.a: T2001: no number' },
    { name: 'no token that is empty', place: 'spec.a', token: '', message: 'spec.a: T2001: no number' },
    { name: 'a token only once', place: 'spec.a', token: 'number', message: 'spec.a: T2001: no number' },
    { name: 'no place when there is none', place: '', token: '+', message: 'T2001: no number (at `+`)' },
  ]
  for (const { name, place, token, message } of cases) {
    it(`says ${name}`, () => {
      const error = new ExpressionError('type', 'T2001', 'no number', { position: 3, token })
      const placed = (): never =>
        namePlace(place, () => {
          throw error
        })
      expect(placed).to.throw(ExpressionError).that.includes({ message, phase: 'type', code: 'T2001', position: 3 })
    })
  }

  it('leaves other errors and values as they are', () => {
    const other = new Error('x')
    const failing = (): never =>
      namePlace('a', () => {
        throw other
      })
    expect(failing).to.throw(other)
    expect(namePlace('a', () => 1)).to.equal(1)
  })
})
