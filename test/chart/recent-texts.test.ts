import { expect } from 'chai'
import { RecentTexts } from '../../src/chart/recent-texts.ts'

describe('recent texts', () => {
  it('forget the least recently used when they are too long together', () => {
    const texts = new RecentTexts(6)
    texts.add('a', 'aaa')
    texts.add('b', 'bbb')
    expect(texts.get('a')).to.equal('aaa')
    texts.add('c', 'cc')
    expect([texts.get('a'), texts.get('b'), texts.get('c')]).to.deep.equal(['aaa', undefined, 'cc'])
  })

  it('keep none that is too long alone', () => {
    const texts = new RecentTexts(3)
    texts.add('a', 'aaaa')
    expect(texts.get('a')).to.equal(undefined)
    texts.add('b', 'bbb')
    expect(texts.get('b')).to.equal('bbb')
  })
})
