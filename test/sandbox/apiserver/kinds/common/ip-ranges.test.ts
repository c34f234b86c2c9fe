import { expect } from 'chai'
import {
  checkCidr,
  checkInterfaceAddress,
  isStrictlyWithin,
} from '../../../../../src/sandbox/apiserver/kinds/common/ip-ranges.ts'

describe('ranges of addresses', () => {
  for (const [text, fits] of [
    ['10.0.0.0/8', true],
    ['10.0.0.0/33', false],
    ['2001:db8::/64', true],
    ['2001:db8::/129', false],
    ['10.0.0.0', false],
    ['10.0.0.0/8/8', false],
  ] as const) {
    it(`${text} is ${fits ? 'a' : 'no'} network`, () => expect(checkCidr(text)).to.have.length(fits ? 0 : 1))
  }

  for (const [inner, outer, isWithin] of [
    ['10.1.0.0/16', '10.0.0.0/8', true],
    ['10.0.0.0/8', '10.0.0.0/8', false],
    ['11.0.0.0/16', '10.0.0.0/8', false],
    ['0.0.0.0/1', '10.1.2.3/0', true],
    ['fd00:1:0:1::/64', 'fd00:1::/48', true],
    ['fd00:2::/64', 'fd00:1::/48', false],
    ['fd00::1.2.3.4/128', 'fd00::102:0/112', true],
    ['::1/128', '::/0', true],
    ['10.0.0.0/8', '::/0', false],
    ['::ffff:10.1.0.0/112', '10.0.0.0/8', true],
    ['x', '10.0.0.0/8', undefined],
  ] as const) {
    it(`${inner} is ${isWithin ? '' : 'not '}within ${outer}`, () =>
      expect(isStrictlyWithin(outer, inner)).to.equal(isWithin))
  }

  const noForm = 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)'
  for (const [address, complaint] of [
    ['10.1.2.3/24', undefined],
    ['2001:db8::1/64', undefined],
    ['2001:DB8:0::1/64', 'must be in canonical form ("2001:db8::1/64")'],
    ['10.1.2.3', noForm],
  ] as const) {
    it(`${address} is ${complaint === undefined ? 'an' : 'no'} address of an interface`, () =>
      expect(checkInterfaceAddress(address)).to.deep.equal(complaint === undefined ? [] : [complaint]))
  }
})
