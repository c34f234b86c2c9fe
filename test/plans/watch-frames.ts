import type { JsonObject } from '../../src/core/base/json.ts'
import type { Reply, ReplySink, Silence, StreamReply } from '../../src/sandbox/apiserver/http/reply.ts'

const LINE_END = 0x0a

/** What becomes of the n-th frame of a stream, counted from 1. */
export type Spoil = (frame: Buffer, index: number) => readonly Buffer[]

/** A watch whose frames go through `spoil` on their way out. Other replies pass. */
export function spoiled(reply: Reply | Silence, spoil: Spoil): Reply | Silence {
  if (typeof reply === 'string' || !('stream' in reply)) return reply
  return { ...reply, stream: (sink) => reply.stream(spoilingSink(sink, spoil)) }
}

/** A watch that breaks in the middle of frame number `index`. */
export function brokenWithin(reply: Reply | Silence, index: number, cut: () => void): Reply | Silence {
  return spoiled(reply, (frame, count) => {
    if (count < index) return [frame]
    if (count > index) return []
    setImmediate(() => setImmediate(cut))
    return [frame.subarray(0, Math.floor(frame.length / 2))]
  })
}

function spoilingSink(sink: ReplySink, spoil: Spoil): ReplySink {
  let count = 0
  return {
    write: (chunk) => framesIn(chunk).every((frame) => spoil(frame, ++count).every((each) => sink.write(each))),
    onDrain: (listener) => sink.onDrain(listener),
    onClose: (listener) => sink.onClose(listener),
    end: () => sink.end(),
  }
}

function framesIn(chunk: Buffer): readonly Buffer[] {
  const frames: Buffer[] = []
  for (let start = 0; start < chunk.length; ) {
    const end = chunk.indexOf(LINE_END, start)
    const next = end === -1 ? chunk.length : end + 1
    frames.push(chunk.subarray(start, next))
    start = next
  }
  return frames
}

/** Each second event changes places with the next one. Bookmarks keep their places: they confirm the events before them. */
export function reordered(reply: Reply | Silence): Reply | Silence {
  let events = 0
  let held: Buffer | undefined
  return spoiled(reply, (frame) => {
    const before = held
    held = undefined
    if (frame.includes('{"type":"BOOKMARK"')) return before ? [before, frame] : [frame]
    if (before) return [frame, before]
    if (++events % 2 !== 0) return [frame]
    held = frame
    return []
  })
}

/** The first event that follows the list, which a watch may begin with, never comes. */
export function losingOne(reply: Reply | Silence, beginsWithList: boolean): Reply | Silence {
  let isListed = !beginsWithList
  let isLost = false
  return spoiled(reply, (frame) => {
    const isDue = isListed && !isLost && !frame.includes('{"type":"BOOKMARK"')
    isListed ||= isInitialEnd(frame)
    if (!isDue) return [frame]
    isLost = true
    return []
  })
}

export function isInitialEnd(frame: Buffer): boolean {
  return frame.includes('k8s.io/initial-events-end')
}

/** A list in the form of a watch with initial events. The events after them come a while later. */
export function listedAsWatch(
  list: Reply | Silence,
  goOn: () => Promise<Reply | Silence>,
  later: (work: () => void) => void,
): Reply | Silence {
  if (typeof list === 'string' || 'stream' in list || list.status !== 200) return list
  const { apiVersion, items, kind, metadata } = JSON.parse(String(list.body)) as ListBody
  const head = { apiVersion, kind: kind.replace(/List$/, '') }
  const end = { ...head, metadata: { ...metadata, annotations: { 'k8s.io/initial-events-end': 'true' } } }
  const frames = [
    ...(items ?? []).map((object) => ['ADDED', { ...head, ...object }] as const),
    ['BOOKMARK', end] as const,
  ]
  const lines = frames.map(([type, object]) => `${JSON.stringify({ type, object })}\n`)
  const stream: StreamReply['stream'] = (sink) => {
    sink.write(Buffer.from(lines.join('')))
    later(() => void goOn().then((reply) => typeof reply !== 'string' && 'stream' in reply && reply.stream(sink)))
  }
  return { status: 200, contentType: 'application/json', stream }
}

interface ListBody {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: JsonObject
  readonly items: readonly JsonObject[] | null
}
