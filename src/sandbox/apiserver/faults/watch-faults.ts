import type { Clock } from '../../../core/base/clock.ts'
import { expired } from '../api-status.ts'
import type { ReplySink, StreamReply } from '../http/reply.ts'
import type { WatchFault } from './fault-plan.ts'

const LINE_END = 0x0a
const BOOKMARK = '{"type":"BOOKMARK"'

/** A stream of frames, one a line, that goes wrong on its way out. */
export function faultyStream(stream: StreamReply['stream'], fault: WatchFault, clock: Clock): StreamReply['stream'] {
  return (sink) => stream(new FaultySink(sink, fault, clock))
}

class FaultySink implements ReplySink {
  readonly #sink: ReplySink
  readonly #fault: WatchFault
  readonly #clock: Clock
  #frames = 0
  /** A frame that waits for the one behind it. */
  #held: Buffer | undefined
  #isOver = false

  constructor(sink: ReplySink, fault: WatchFault, clock: Clock) {
    this.#sink = sink
    this.#fault = fault
    this.#clock = clock
    this.#endWhenDue()
  }

  write(chunk: Buffer): boolean {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(LINE_END, start)
      const next = end === -1 ? chunk.length : end + 1
      this.#frame(chunk.subarray(start, next))
      start = next
    }
    return true
  }

  onDrain(listener: () => void): void {
    this.#sink.onDrain(listener)
  }

  onClose(listener: () => void): void {
    this.#sink.onClose(() => {
      this.#isOver = true
      listener()
    })
  }

  end(): void {
    if (!this.#isOver) this.#sink.end()
    this.#isOver = true
  }

  #frame(frame: Buffer): void {
    const { suppressBookmarks, duplicateEvery, swapEvery } = this.#fault
    if (this.#isOver || (suppressBookmarks && frame.toString('latin1', 0, BOOKMARK.length) === BOOKMARK)) return
    const count = ++this.#frames
    const held = this.#held
    this.#held = undefined
    if (held === undefined && isTurn(count, swapEvery)) this.#held = frame
    else this.#send(frame)
    if (held) this.#send(held)
    if (isTurn(count, duplicateEvery)) this.#send(frame)
    this.#endWhenDue()
  }

  #send(frame: Buffer): void {
    const { delay } = this.#fault
    if (delay === undefined) this.#sink.write(frame)
    else this.#clock.schedule(delay, () => this.#sink.write(frame))
  }

  #endWhenDue(): void {
    const { closeAfter, freezeAfter, expireAfter } = this.#fault
    if (this.#frames === freezeAfter) this.#isOver = true
    if (this.#frames === expireAfter) this.#send(EXPIRED)
    if (this.#frames !== expireAfter && this.#frames !== closeAfter) return
    this.#isOver = true
    this.#clock.schedule(this.#fault.delay ?? 0, () => this.#sink.end())
  }
}

function isTurn(count: number, every: number | undefined): boolean {
  return every !== undefined && count % every === 0
}

const EXPIRED = Buffer.from(
  `${JSON.stringify({ type: 'ERROR', object: expired('The resourceVersion for the provided watch is too old.').status })}\n`,
)
