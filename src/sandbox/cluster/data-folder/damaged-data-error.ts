/** A place in a file of a data folder. */
export interface Place {
  readonly path: string
  readonly line: number
  /** In bytes, where the line begins. */
  readonly offset: number
}

/** What a data folder holds is not what was written there. Nothing was changed; the message says where and what to do. */
export class DamagedDataError extends Error {}

/** Of a line: what comes before it is sound. */
export function damagedAt({ path, line, offset }: Place, what: string): DamagedDataError {
  const cut =
    offset === 0 ? 'Nothing before it can be used.' : `What comes before it is sound: head -c ${offset} keeps that.`
  return new DamagedDataError(`${path}:${line} (byte ${offset}): ${what}. ${cut} ${REMEDY}`)
}

/** Of a file as a whole, or of a folder. */
export function damagedFile(path: string, what: string): DamagedDataError {
  return new DamagedDataError(`${path}: ${what}. ${REMEDY}`)
}

const REMEDY =
  'Nothing was changed. Restore the folder from a copy, take another folder, or copy this one and mend the file; ' +
  'docs/sandbox.md says how'
