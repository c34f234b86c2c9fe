import { expect } from 'chai'
import { checkIP, checkPortName, isIPv4, isIPv6 } from '../../../../../src/sandbox/apiserver/kinds/common/formats.ts'

describe('formats', () => {
  const addresses = [
    { text: '10.0.0.1', family: 4 },
    { text: '255.255.255.255', family: 4 },
    { text: '256.0.0.1', family: 0 },
    { text: '010.0.0.1', family: 0 },
    { text: '1.2.3', family: 0 },
    { text: '1.2.3.4.', family: 0 },
    { text: '::', family: 6 },
    { text: '::1', family: 6 },
    { text: '2001:db8::ffff', family: 6 },
    { text: '1:2:3:4:5:6:7:8', family: 6 },
    { text: '1:2:3:4:5:6:7', family: 0 },
    { text: '1:2:3:4:5:6:7:8:9', family: 0 },
    { text: '1::2::3', family: 0 },
    { text: '64:ff9b::1.2.3.4', family: 6 },
    { text: '12345::', family: 0 },
    { text: 'x::', family: 0 },
    { text: '', family: 0 },
  ]
  for (const { text, family } of addresses) {
    it(`"${text}" is ${family === 0 ? 'no address' : `an address of IPv${family}`}`, () => {
      expect([isIPv4(text), isIPv6(text)]).to.deep.equal([family === 4, family === 6])
      expect(checkIP(text)).to.have.length(family === 0 ? 1 : 0)
    })
  }

  for (const text of ['::ffff:1.2.3.4', '0:0:0:0:0:FFFF:102:304']) {
    it(`"${text}" is an address of IPv4 in IPv6, which is none`, () => {
      expect(isIPv6(text)).to.equal(true)
      expect(checkIP(text)).to.deep.equal(['must not be an IPv4-mapped IPv6 address'])
    })
  }

  it('says everything that is wrong with the name of a port', () => {
    expect(checkPortName('-a--b-')).to.deep.equal([
      'must not contain consecutive hyphens',
      'must not begin or end with a hyphen',
    ])
  })
})
