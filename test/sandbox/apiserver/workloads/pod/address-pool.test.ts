import { expect } from 'chai'
import { AddressPool } from '../../../../../src/sandbox/apiserver/workloads/pod/address-pool.ts'
import { long } from '../../../../support/long-tests.ts'

describe('AddressPool', () => {
  it('gives no address twice, and none that is taken', () => {
    const pool = new AddressPool(['10.200.0.6', ''])
    expect([pool.take(), pool.take(), pool.take()]).to.deep.equal(['10.200.0.5', '10.200.0.7', '10.200.0.8'])
  })

  long.it('gives a released address again only after all others, and none when all are taken', () => {
    const pool = new AddressPool([])
    const first = pool.take()
    pool.release(first)
    expect(pool.take()).not.to.equal(first)
    for (let count = 0; count < 0x80000 - 8; count++) pool.take()
    expect(pool.take()).to.equal('10.207.255.255')
    expect(pool.take()).to.equal(first)
    expect(pool.take(), 'all are taken').to.equal('')
  })
})
