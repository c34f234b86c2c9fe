import { isUtf8 } from 'node:buffer'
import type { Clock } from '../base/clock.ts'
import { CodedError, explain } from '../base/coded-error.ts'
import { isJsonObject, type JsonObject } from '../base/json.ts'
import type { WatchEvent } from '../kube/client.ts'
import type { KubeObject } from '../kube/object.ts'

const NEWLINE = 10
const MAX_LINE_BYTES = 64 * 2 ** 20
const MAX_HOLD_MS = 4

/**
 * Events of a watch from its bytes: one JSON document a line, cut wherever the network cuts. Lines are found in bytes,
 * so a character that arrives in two pieces stays whole. Gives the event loop back in between.
 *
 * @throws CodedError `BadWatchFrame` at the first line that is not an event, and at a cut last line
 */
export async function* watchEvents(bytes: AsyncIterable<Uint8Array>, clock: Clock): AsyncGenerator<WatchEvent> {
  const line = new LineBuffer()
  let heldSince = clock.monotonic()
  for await (const chunk of bytes) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const text = line.complete(chunk.subarray(start, end))
      start = end + 1
      if (text.length > 0) yield parseWatchEvent(text)
      if (clock.monotonic() - heldSince < MAX_HOLD_MS) continue
      await new Promise((resolve) => setImmediate(resolve))
      heldSince = clock.monotonic()
    }
    line.append(chunk.subarray(start))
  }
  if (line.size > 0) throw badFrame('the stream ends within an event')
}

/** Pieces of a line that is not complete yet. */
class LineBuffer {
  #pieces: Uint8Array[] = []
  size = 0

  append(piece: Uint8Array): void {
    if (piece.length === 0) return
    this.#pieces.push(piece)
    this.size += piece.length
    if (this.size > MAX_LINE_BYTES) throw badFrame('an event is larger than 64 MiB')
  }

  complete(last: Uint8Array): Buffer {
    const line =
      this.size === 0
        ? Buffer.from(last.buffer, last.byteOffset, last.byteLength)
        : Buffer.concat([...this.#pieces, last])
    this.#pieces = []
    this.size = 0
    return line
  }
}

function parseWatchEvent(line: Buffer): WatchEvent {
  const { type, object } = parseLine(line)
  if (!isJsonObject(object)) throw badFrame('an event carries no object')
  if (type === 'ERROR') return { type, status: object }
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED' && type !== 'BOOKMARK') {
    throw badFrame('an event has an unknown type')
  }
  if (!isKubeObject(object)) throw badFrame(`the object of an event is not an object of the API (${type})`)
  return { type, object }
}

function parseLine(line: Buffer): JsonObject {
  if (!isUtf8(line)) throw badFrame('an event is not valid UTF-8')
  try {
    const value: unknown = JSON.parse(line.toString('utf8'))
    if (isJsonObject(value)) return value
  } catch (error) {
    throw badFrame(`an event is not JSON (${explain(error)})`)
  }
  throw badFrame('an event is not a JSON object')
}

function isKubeObject(object: JsonObject): object is KubeObject {
  return object.kind !== 'Status' && isJsonObject(object.metadata)
}

function badFrame(cause: string): CodedError {
  return new CodedError('BadWatchFrame', `cannot read the watch: ${cause}`)
}
