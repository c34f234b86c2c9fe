import { expect } from 'chai'
import { ExpressionError } from '../../../src/engine/expression/expression-error.ts'
import { splitTemplate, type TemplatePart, wholeExpression } from '../../../src/engine/expression/split-template.ts'

const cases: readonly { text: string; parts: readonly TemplatePart[] }[] = [
  { text: '', parts: [{ text: '' }] },
  { text: 'plain', parts: [{ text: 'plain' }] },
  { text: '$ { } {} $$ $x', parts: [{ text: '$ { } {} $$ $x' }] },
  { text: '${a}', parts: [{ source: 'a', offset: 2 }] },
  { text: 'x${ a }y', parts: [{ text: 'x' }, { source: ' a ', offset: 3 }, { text: 'y' }] },
  {
    text: '${a}${b}',
    parts: [
      { source: 'a', offset: 2 },
      { source: 'b', offset: 6 },
    ],
  },
  { text: '$${a}', parts: [{ text: '${a}' }] },
  { text: 'x$${a}${b}', parts: [{ text: 'x${a}' }, { source: 'b', offset: 8 }] },
  { text: '$$${a}', parts: [{ text: '$${a}' }] },
  { text: '${a}$${b}', parts: [{ source: 'a', offset: 2 }, { text: '${b}' }] },
  { text: '${ {"a": {}} }', parts: [{ source: ' {"a": {}} ', offset: 2 }] },
  { text: '${ "}" }', parts: [{ source: ' "}" ', offset: 2 }] },
  { text: "${ '}' & '\\'}' }", parts: [{ source: " '}' & '\\'}' ", offset: 2 }] },
  { text: '${ "\\"}" }', parts: [{ source: ' "\\"}" ', offset: 2 }] },
  { text: '${ `a}b` }', parts: [{ source: ' `a}b` ', offset: 2 }] },
  { text: '${ /* } */ a }', parts: [{ source: ' /* } */ a ', offset: 2 }] },
  { text: '${ $match(a, /x\\}/) }', parts: [{ source: ' $match(a, /x\\}/) ', offset: 2 }] },
  { text: '${ $match(a, /[{/}]\\/{2}/i) }', parts: [{ source: ' $match(a, /[{/}]\\/{2}/i) ', offset: 2 }] },
  { text: '${ a / b } and / }', parts: [{ source: ' a / b ', offset: 2 }, { text: ' and / }' }] },
  { text: '${ (a) / 2 } / }', parts: [{ source: ' (a) / 2 ', offset: 2 }, { text: ' / }' }] },
  { text: '${ a.* / 2 } / }', parts: [{ source: ' a.* / 2 ', offset: 2 }, { text: ' / }' }] },
  { text: '${ a in /\\}/ }', parts: [{ source: ' a in /\\}/ ', offset: 2 }] },
  { text: '${ in }', parts: [{ source: ' in ', offset: 2 }] },
  { text: '${ "${" & "}" }', parts: [{ source: ' "${" & "}" ', offset: 2 }] },
  { text: '${ a{b: c} }', parts: [{ source: ' a{b: c} ', offset: 2 }] },
  { text: '${ |a|{}| }', parts: [{ source: ' |a|{}| ', offset: 2 }] },
  { text: '${ "é😀}" }', parts: [{ source: ' "é😀}" ', offset: 2 }] },
]

const unclosed: readonly { text: string; position: number }[] = [
  { text: '${', position: 0 },
  { text: 'abc ${ a', position: 4 },
  { text: '${a} ${ {}', position: 5 },
  { text: '${ "}', position: 0 },
  { text: '${ /* }', position: 0 },
  { text: '${ `}', position: 0 },
  { text: '${ $match(a, /}) ', position: 0 },
]

describe('splitTemplate', () => {
  for (const { text, parts } of cases) {
    it(`splits ${JSON.stringify(text)}`, () => {
      expect(splitTemplate(text)).to.deep.equal(parts)
    })
  }

  for (const { text, position } of unclosed) {
    it(`says where ${JSON.stringify(text)} is open`, () => {
      expect(() => splitTemplate(text))
        .to.throw(ExpressionError)
        .that.includes({ code: 'E1203', position })
    })
  }

  it('finds the expression that is the whole value', () => {
    const whole = (text: string) => wholeExpression(splitTemplate(text))
    expect(whole(' ${a}\n')).to.deep.equal({ source: 'a', offset: 3 })
    expect(whole('a')).to.equal(undefined)
    expect(whole('x ${a}')).to.equal(undefined)
    expect(whole('${a} ${b}')).to.equal(undefined)
    expect(whole('$${a}')).to.equal(undefined)
  })
})
