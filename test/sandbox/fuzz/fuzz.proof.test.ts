import { expect } from 'chai'
import { runFuzz } from './run-fuzz.ts'

const SEED = 1

describe('Whatever is sent over the wire', () => {
  it('is answered in time, never by an error of the server, and harms nothing else', async function () {
    this.timeout(120_000)
    const { faults, requests } = await runFuzz({ requests: 1500, seed: SEED, patience: 10_000 })
    const shown = faults.map(({ index, what, request }) => `#${index}: ${what}\n${request?.method} ${request?.path}`)
    expect(shown.join('\n\n'), `seed ${SEED}`).to.equal('')
    expect(requests).to.equal(1500)
  })
})
