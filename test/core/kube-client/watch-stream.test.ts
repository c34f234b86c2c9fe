import { expect } from 'chai'
import fc from 'fast-check'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import type { WatchEvent } from '../../../src/core/kube/client.ts'
import { watchEvents } from '../../../src/core/kube-client/watch-stream.ts'

const object = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })

async function read(chunks: readonly Uint8Array[], clock = new FakeClock()): Promise<WatchEvent[]> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield* chunks
  }
  const events: WatchEvent[] = []
  for await (const event of watchEvents(bytes(), clock)) events.push(event)
  return events
}

function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [0, ...ends].map((start, index) => bytes.subarray(start, ends[index] ?? bytes.length))
}

describe('watchEvents', () => {
  it('gives the same events wherever the network cuts, also within a character', async () => {
    const name = fc.constantFrom('', 'a', 'é', '€', '😀', 'a😀b€', '\n', '"\\', '\u2028')
    await fc.assert(
      fc.asyncProperty(
        fc.array(name, { maxLength: 8 }),
        fc.array(fc.nat(2000), { maxLength: 30 }),
        async (names, places) => {
          const events = names.map((each) => ({ type: 'ADDED', object: object(each) }))
          const bytes = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''))
          expect(await read(cutAt(bytes, places))).to.deep.equal(JSON.parse(JSON.stringify(events)))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('passes on every type of event, an error with its Status', async () => {
    const text = [
      { type: 'ADDED', object: object('a') },
      { type: 'MODIFIED', object: object('a') },
      { type: 'BOOKMARK', object: { kind: 'ConfigMap', metadata: { resourceVersion: '5' } } },
      { type: 'DELETED', object: object('a') },
      { type: 'ERROR', object: { kind: 'Status', code: 410 } },
    ]
    const events = await read([Buffer.from(text.map((event) => JSON.stringify(event)).join('\n')), Buffer.from('\n\n')])
    expect(events.map(({ type }) => type)).to.deep.equal(['ADDED', 'MODIFIED', 'BOOKMARK', 'DELETED', 'ERROR'])
    expect(events.at(-1)).to.deep.equal({ type: 'ERROR', status: { kind: 'Status', code: 410 } })
  })

  describe('stops at', () => {
    const event = JSON.stringify({ type: 'ADDED', object: object('a') })
    const cases: { name: string; bytes: Buffer }[] = [
      { name: 'a cut last line', bytes: Buffer.from(event) },
      { name: 'a line that is not JSON', bytes: Buffer.from('<html>\n') },
      { name: 'a line that is not an object', bytes: Buffer.from('[]\n') },
      { name: 'bytes that are no UTF-8', bytes: Buffer.from(`${event.replace('"a"', '"\u00ff"')}\n`, 'latin1') },
      { name: 'an unknown type', bytes: Buffer.from('{"type":"MOVED","object":{}}\n') },
      { name: 'an event without object', bytes: Buffer.from('{"type":"ADDED"}\n') },
      {
        name: 'a Status as an object',
        bytes: Buffer.from('{"type":"ADDED","object":{"kind":"Status","metadata":{}}}\n'),
      },
      { name: 'an object without metadata', bytes: Buffer.from('{"type":"ADDED","object":{"kind":"X"}}\n') },
    ]
    for (const { name, bytes } of cases) {
      it(name, async () => {
        const error = await read([Buffer.from(`${event}\n`), bytes]).catch((reason: unknown) => reason)
        expect(error).to.have.property('code', 'BadWatchFrame')
      })
    }

    it('an event of more than 64 MiB', async () => {
      const piece = Buffer.alloc(8 * 2 ** 20, 32)
      const error = await read(Array.from({ length: 9 }, () => piece)).catch((reason: unknown) => reason)
      expect(error).to.have.property('code', 'BadWatchFrame')
    })
  })

  it('gives the event loop back during a flood', async () => {
    const line = `${JSON.stringify({ type: 'ADDED', object: object('a') })}\n`
    let turns = 0
    const count = (): void => {
      turns++
      if (turns < 1000) setImmediate(count)
    }
    setImmediate(count)
    const clock = new FakeClock()
    clock.monotonic = () => performance.now() * 100
    await read([Buffer.from(line.repeat(20_000))], clock)
    expect(turns).to.be.greaterThan(5)
  })
})
