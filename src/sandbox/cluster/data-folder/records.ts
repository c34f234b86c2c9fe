import { crc32 } from 'node:zlib'
import type { JsonValue } from '../../../core/base/json.ts'
import { type DamagedDataError, damagedAt } from './damaged-data-error.ts'

/** A file of records as bytes: one line each, its checksum and its JSON. */
export function encodeRecord(record: object): Buffer {
  const line = Buffer.from(`00000000 ${JSON.stringify(record)}\n`)
  line.write(checksum(line.subarray(PREFIX, -1)), 0, 'latin1')
  return line
}

export interface ReadRecord {
  readonly value: JsonValue
  /** Where its line begins and where the next one would. */
  readonly start: number
  readonly end: number
  readonly line: number
}

/**
 * The records of a file. What stands behind the last line end is the beginning of a record that was never finished, and is
 * left out: no client knows that it was written.
 *
 * @throws DamagedDataError at a line that is finished and not what was written
 */
export function* readRecords(path: string, bytes: Buffer): Generator<ReadRecord, void, void> {
  let start = 0
  let line = 1
  for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
    yield { value: decodeRecord(bytes.subarray(start, end), { path, line, offset: start }), start, end: end + 1, line }
    start = end + 1
    line++
  }
}

/** Where the last finished record ends. */
export function finishedLength(bytes: Buffer): number {
  return bytes.lastIndexOf(LINE_END) + 1
}

const LINE_END = 0x0a
/** Eight digits and a space. */
const PREFIX = 9

function decodeRecord(line: Buffer, place: Parameters<typeof damagedAt>[0]): JsonValue {
  const text = line.subarray(PREFIX)
  if (line.toString('latin1', 0, PREFIX) !== `${checksum(text)} `) throw notAsWritten(place, 'its checksum differs')
  try {
    return JSON.parse(text.toString())
  } catch {
    throw notAsWritten(place, 'it is no JSON')
  }
}

function notAsWritten(place: Parameters<typeof damagedAt>[0], why: string): DamagedDataError {
  return damagedAt(place, `the record is not as it was written: ${why}`)
}

function checksum(text: Buffer): string {
  return crc32(text).toString(16).padStart(8, '0')
}
