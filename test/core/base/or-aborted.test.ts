import process from 'node:process'
import { expect } from 'chai'
import { orAborted } from '../../../src/core/base/or-aborted.ts'

describe('orAborted', () => {
  const never = new Promise(() => undefined)
  const cases: { name: string; promise: () => Promise<unknown>; signal: AbortSignal | undefined; end: string }[] = [
    { name: 'what comes', promise: async () => 'value', signal: new AbortController().signal, end: 'value' },
    { name: 'what comes, without any signal', promise: async () => 'value', signal: undefined, end: 'value' },
    {
      name: 'the failure',
      promise: () => Promise.reject('failure'),
      signal: new AbortController().signal,
      end: 'failure',
    },
    {
      name: 'the reason of an abort that came before',
      promise: () => never,
      signal: AbortSignal.abort('stop'),
      end: 'stop',
    },
  ]
  for (const { name, promise, signal, end } of cases) {
    it(`yields ${name}`, async () => expect(await orAborted(promise(), signal).catch((error) => error)).to.equal(end))
  }

  it('leaves no failure unhandled after an abort that came before', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    await orAborted(Promise.reject('failure'), AbortSignal.abort('stop')).catch(() => undefined)
    await new Promise(setImmediate)
    process.off('unhandledRejection', note)
    expect(unhandled).to.deep.equal([])
  })
})
