import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { statusError } from '../../../../src/sandbox/apiserver/api-status.ts'
import { WatchStream, type WatchStreamOptions } from '../../../../src/sandbox/apiserver/http/watch-stream.ts'
import { ResourceRegistry } from '../../../../src/sandbox/apiserver/resource-registry.ts'
import { ObjectStore } from '../../../../src/sandbox/apiserver/store/object-store.ts'
import { WatchCursor } from '../../../../src/sandbox/apiserver/store/watch-cursor.ts'
import { WatchHub } from '../../../../src/sandbox/apiserver/store/watch-hub.ts'
import { configMap } from '../sandbox.ts'

const TABLE = '/configmaps'

/** The other side of a watch, as fast as a test wants it. */
class FakeSink {
  readonly lines: string[] = []
  ended = false
  keepsUp = true
  #drain: () => void = () => undefined
  #close: () => void = () => undefined

  write(chunk: Buffer): boolean {
    this.lines.push(...chunk.toString().trim().split('\n'))
    return this.keepsUp
  }

  onDrain(listener: () => void): void {
    this.#drain = listener
  }

  onClose(listener: () => void): void {
    this.#close = listener
  }

  end(): void {
    this.ended = true
  }

  drain(): void {
    this.keepsUp = true
    this.#drain()
  }

  close(): void {
    this.#close()
  }
}

describe('WatchStream', () => {
  it('sends what exists, says so, and goes on with changes', async () => {
    const { store, sink } = watch({ existing: ['a', 'b'], announceInitialEnd: true })
    store.put(TABLE, configMap('c'))
    await Promise.resolve()
    expect(sink.lines).to.deep.equal(['ADDED a', 'ADDED b', 'BOOKMARK initial', 'ADDED c'])
  })

  it('sends a bookmark each minute and two seconds before its end', async () => {
    const { clock, sink } = watch({ sendBookmarks: true, timeoutSeconds: 150 })
    await clock.advance(59_000)
    expect(sink.lines).to.deep.equal([])
    await clock.advance(1_000)
    expect(sink.lines).to.deep.equal(['BOOKMARK'])
    await clock.advance(60_000)
    expect(sink.lines).to.have.length(2)
    await clock.advance(28_000)
    expect(sink.lines).to.have.length(3)
    expect(sink.ended).to.equal(false)
    await clock.advance(2_000)
    expect(sink.ended).to.equal(true)
    expect(clock.pending).to.equal(0)
  })

  it('sends no bookmark unless the client asked for bookmarks', async () => {
    const { clock, sink } = watch({})
    await clock.advance(1_800_000)
    expect(sink.lines).to.deep.equal([])
    expect(sink.ended).to.equal(true)
  })

  it('waits for a slow reader, and loses nothing', async () => {
    const { store, sink } = watch({})
    sink.keepsUp = false
    for (const name of ['a', 'b', 'c']) {
      store.put(TABLE, configMap(name))
      await Promise.resolve()
    }
    expect(sink.lines).to.deep.equal(['ADDED a'])
    sink.drain()
    expect(sink.lines).to.deep.equal(['ADDED a', 'ADDED b', 'ADDED c'])
  })

  it('ends for a reader that has fallen behind what is remembered', async () => {
    const { store, sink } = watch({ historySize: 3 })
    sink.keepsUp = false
    for (let index = 0; index < 6; index++) {
      store.put(TABLE, configMap(`m${index}`))
      await Promise.resolve()
    }
    sink.drain()
    expect(sink.lines).to.deep.equal(['ADDED m0'])
    expect(sink.ended).to.equal(true)
  })

  it('sends no bookmark to a reader that is behind', async () => {
    const { store, clock, sink } = watch({ sendBookmarks: true })
    sink.keepsUp = false
    store.put(TABLE, configMap('a'))
    store.put(TABLE, configMap('b'))
    await clock.advance(60_000)
    expect(sink.lines).to.deep.equal(['ADDED a', 'ADDED b'])
  })

  it('sends much in pieces', () => {
    const existing = Array.from({ length: 450 }, (_, index) => `m${String(index).padStart(3, '0')}`)
    const { sink } = watch({ existing })
    expect(sink.lines).to.have.length(450)
  })

  it('ends with an error when a version of an object cannot be made', () => {
    const { sink } = watch({
      existing: ['a'],
      encode: () => {
        throw statusError(500, '', 'conversion webhook for example.com/v1, Kind=Rod failed')
      },
    })
    const [line = '{}'] = sink.lines
    expect(JSON.parse(line)).to.have.property('type', 'ERROR')
    expect(JSON.parse(line).object).to.include({
      code: 500,
      message: 'conversion webhook for example.com/v1, Kind=Rod failed',
    })
    expect([sink.lines.length, sink.ended]).to.deep.equal([1, true])
  })

  it('lets a fault of the program through, which is no answer for the client', () => {
    const encode = (): Buffer => {
      throw new TypeError('the encoder is broken')
    }
    expect(() => watch({ existing: ['a'], encode })).to.throw(TypeError, 'the encoder is broken')
  })

  it('ends after its last event when the resource is not served any more', async () => {
    let isServed = true
    const { store, registry, sink } = watch({ isServed: () => isServed })
    registry.replace(new Set([TABLE]), [])
    await Promise.resolve()
    expect(sink.ended).to.equal(false)
    store.put(TABLE, configMap('a'))
    isServed = false
    registry.replace(new Set([TABLE]), [])
    await Promise.resolve()
    expect([sink.lines, sink.ended]).to.deep.equal([['ADDED a'], true])
  })

  it('stops when the other side closes', async () => {
    const { store, clock, sink } = watch({ sendBookmarks: true })
    sink.close()
    store.put(TABLE, configMap('a'))
    await clock.advance(3_600_000)
    expect(sink.lines).to.deep.equal([])
    expect(clock.pending).to.equal(0)
  })
})

interface WatchOptions extends Partial<WatchStreamOptions> {
  readonly existing?: readonly string[]
  readonly historySize?: number
}

function watch({ existing = [], historySize = 100, ...options }: WatchOptions) {
  const registry = new ResourceRegistry()
  const store = new ObjectStore(historySize)
  for (const name of existing) store.put(TABLE, configMap(name))
  const hub = new WatchHub(store, registry)
  const clock = new FakeClock()
  const sink = new FakeSink()
  const table = store.table(TABLE)
  const stream = new WatchStream({
    cursor: new WatchCursor(table.history, store.revision, { namespace: undefined }),
    initial: table.list(),
    clock,
    encode: (type, { name }) => Buffer.from(`${type} ${name}\n`),
    bookmark: (initialEnd) => Buffer.from(initialEnd ? 'BOOKMARK initial\n' : 'BOOKMARK\n'),
    isServed: () => true,
    sendBookmarks: false,
    announceInitialEnd: false,
    timeoutSeconds: undefined,
    ...options,
  })
  stream.run(sink, (listener) => hub.add(TABLE, listener))
  return { store, registry, clock, sink }
}
