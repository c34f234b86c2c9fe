import { expect } from 'chai'
import { type Cause, DONE_BY_OTHERS, OwnVersions } from '../../../../src/engine/reconcile/run/own-loop.ts'

const chain = (length: number) => (): Cause => ({ isOwnDoing: true, chain: length })

describe('OwnVersions', () => {
  it('knows how many own writes led to a version, one because of the other', async () => {
    const versions = new OwnVersions()
    versions.add('outside of runs')
    await versions.during(
      () => DONE_BY_OTHERS,
      async () => versions.add('first'),
    )
    await versions.during(
      () => versions.causeIn(['first']),
      async () => {
        await Promise.resolve()
        versions.add('second')
      },
    )
    const of = (...news: readonly string[]): string => {
      const { isOwnDoing, chain } = versions.causeIn(news)
      return `${isOwnDoing ? 'own' : 'others'} ${chain}`
    }
    expect(of('outside of runs')).to.equal('own 1')
    expect(of('first')).to.equal('own 1')
    expect(of('second')).to.equal('own 2')
    expect(of('second', 'first'), 'the shortest chain').to.equal('own 1')
    expect(of('second', "somebody's"), 'a chain is not broken').to.equal('others 2')
    expect(of("somebody's")).to.equal('others 0')
  })

  it('asks for the cause of a write only when that is written: news of the cause may have come before its answer', async () => {
    const versions = new OwnVersions()
    await versions.during(
      () => versions.causeIn(['cause']),
      async () => {
        await versions.during(chain(3), async () => versions.add('cause'))
        versions.add('effect')
      },
    )
    expect(versions.causeIn(['effect']).chain).to.equal(5)
  })

  it('knows what made a version first: a write that changes nothing makes none', async () => {
    const versions = new OwnVersions()
    versions.add('one')
    await versions.during(chain(7), async () => versions.add('one'))
    expect(versions.causeIn(['one']).chain).to.equal(1)
  })
})
