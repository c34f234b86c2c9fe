import { mock } from 'node:test'
import { expect } from 'chai'
import { backoffDelay } from '../../../src/core/base/backoff.ts'
import { backgroundClock, systemClock } from '../../../src/core/base/clock.ts'
import { CodedError, explain } from '../../../src/core/base/coded-error.ts'
import { hashJson, hmacSha256, randomHex, sha256 } from '../../../src/core/base/hash.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { printableText } from '../../../src/core/base/printable-text.ts'
import { untilAborted } from '../../../src/core/base/until-aborted.ts'

describe('backoffDelay', () => {
  const cases = [
    { name: 'the first is between half and all of the base', attempt: 0, random: 0, expected: 100 },
    { name: 'with the most jitter it is the whole step', attempt: 0, random: 1, expected: 200 },
    { name: 'it doubles', attempt: 3, random: 1, expected: 1600 },
    { name: 'it never exceeds the cap', attempt: 1000, random: 1, expected: 5000 },
  ]
  for (const { name, attempt, random, expected } of cases) {
    it(name, () => expect(backoffDelay(attempt, { base: 200, max: 5000, random: () => random })).to.equal(expected))
  }
})

describe('hashes', () => {
  it('are those of the standard', () =>
    expect(sha256('abc')).to.equal('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'))
  it('do not depend on the order of keys', () => expect(hashJson({ a: 1, b: 2 })).to.equal(hashJson({ b: 2, a: 1 })))
  it('depend on the key of an HMAC', () => expect(hmacSha256('k1', 'text')).to.not.equal(hmacSha256('k2', 'text')))
  it('random ones have the length asked for', () => expect(randomHex(16)).to.match(/^[0-9a-f]{32}$/))
})

describe('explain', () => {
  it('prints the chain of causes', () =>
    expect(explain(new CodedError('X1', 'cannot load', { cause: new Error('no such file') }))).to.equal(
      'cannot load: no such file',
    ))
  it('prints a message once when its cause repeats it', () =>
    expect(explain(new Error('it is taken', { cause: new Error('it is taken by x') }))).to.equal('it is taken by x'))
  it('prints what is not an error', () => expect(explain('gone')).to.equal('gone'))
})

describe('printableText', () => {
  it('keeps ordinary text', () => expect(printableText('naïve – 日本')).to.equal('naïve – 日本'))
  it('takes escapes, line ends and direction marks out', () =>
    expect(printableText('a\u001b[2Jb\nc\u202ed')).to.equal('a [2Jb c d'))
})

describe('untilAborted', () => {
  it('resolves when the signal aborts', async () => {
    const controller = new AbortController()
    const aborted = untilAborted(controller.signal)
    controller.abort()
    expect(await aborted).to.equal(undefined)
  })
  it('resolves when the signal has aborted already, of which no event will tell', async () =>
    expect(await untilAborted(AbortSignal.abort())).to.equal(undefined))
})

describe('systemClock', () => {
  it('wakes a sleeper when its signal aborts', async () => {
    const controller = new AbortController()
    const slept = systemClock.sleep(60_000, controller.signal)
    controller.abort()
    await slept
  })
  it('sleeps not at all when the signal has aborted already', () => systemClock.sleep(60_000, AbortSignal.abort()))
  it('fires what is scheduled, unless it is taken back', async () => {
    const fired: string[] = []
    const takeBack = systemClock.schedule(0, () => fired.push('taken back'))
    takeBack()
    await new Promise<void>((resolve) => systemClock.schedule(1, () => resolve(void fired.push('kept'))))
    expect(fired).to.deep.equal(['kept'])
    expect(systemClock.monotonic()).to.be.greaterThan(0)
    expect(systemClock.now()).to.be.greaterThan(1_700_000_000_000)
  })
})

describe('a wait that is longer than a timer of the platform can be', () => {
  const LONGEST_TIMER = 2 ** 31 - 1
  // A real timer would take 25 days.
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  for (const [name, clock] of Object.entries({ systemClock, backgroundClock })) {
    it(`ends when it is over, and not at once: ${name}`, async () => {
      let fired = 0
      clock.schedule(LONGEST_TIMER + 10, () => fired++)
      const slept = clock.sleep(LONGEST_TIMER + 10).then(() => fired++)
      mock.timers.tick(LONGEST_TIMER)
      mock.timers.tick(9)
      await Promise.resolve()
      expect(fired).to.equal(0)
      mock.timers.tick(1)
      await slept
      expect(fired).to.equal(2)
    })

    it(`can be taken back in each of its parts: ${name}`, () => {
      for (const waited of [0, LONGEST_TIMER]) {
        const takeBack = clock.schedule(LONGEST_TIMER + 10, () => expect.fail('fired'))
        mock.timers.tick(waited)
        takeBack()
        for (const more of [LONGEST_TIMER, 10]) mock.timers.tick(more)
      }
    })
  }
})

describe('nopLogger', () => {
  it('says nothing, at any level', () => {
    for (const level of ['debug', 'info', 'warn', 'error'] as const) nopLogger.child({ a: 1 })[level]('text')
  })
})
