import { expect } from 'chai'
import {
  comparePathElements,
  keyElement,
  printPathElement,
  valueElement,
} from '../../../src/core/schema/path-element.ts'

describe('steps of field paths', () => {
  const printed: readonly (readonly [element: string, text: string])[] = [
    ['f:spec', '.spec'],
    ['k:{"name":"web"}', '[name="web"]'],
    ['k:{"port":80,"protocol":"TCP"}', '[port=80,protocol="TCP"]'],
    ['v:"x"', '[="x"]'],
    ['v:{"a":[1,null]}', '[=a=[1,null]]'],
    ['i:3', '[3]'],
  ]
  for (const [element, text] of printed) {
    it(`${element} is printed ${text}`, () => expect(printPathElement(element)).to.equal(text))
  }

  it('are escaped as Go does', () => {
    expect(keyElement({ b: '<x>', a: 1 })).to.equal('k:{"a":1,"b":"\\u003cx\\u003e"}')
    expect(keyElement({ n: 'plain' })).to.equal('k:{"n":"plain"}')
    expect(valueElement('a\b"\u2028')).to.equal('v:"a\\u0008\\"\\u2028"')
  })

  const ordered: readonly (readonly [lower: string, higher: string])[] = [
    ['f:z', 'k:{"a":1}'],
    ['k:{"a":"x"}', 'v:1'],
    ['v:null', 'i:0'],
    ['v:1', 'v:"1"'],
    ['v:"a"', 'v:false'],
    ['v:false', 'v:true'],
    ['v:true', 'v:[1]'],
    ['v:[1]', 'v:[1,2]'],
    ['v:[null,1]', 'v:[null,2]'],
    ['v:[1,2]', 'v:{"a":1}'],
    ['v:{"a":1}', 'v:{"b":0}'],
    ['v:{"a":1}', 'v:null'],
    ['k:{"a":1}', 'k:{"a":1,"b":1}'],
  ]
  for (const [lower, higher] of ordered) {
    it(`${lower} stands before ${higher}`, () => {
      expect(comparePathElements(lower, higher)).to.be.below(0)
      expect(comparePathElements(higher, lower)).to.be.above(0)
      expect(comparePathElements(lower, lower)).to.equal(0)
    })
  }
})
