import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import type { SourceFile } from './source-file.ts'

const BOM = '\uFEFF'
/** C0 without tab and line feed, DEL, C1, and the marks that make text read in another order than it is. */
const CONTROL = /(?![\t\n])[\p{Cc}\u202A-\u202E\u2066-\u2069]/u

/** What makes a file unfit to be read as YAML at all, before it is parsed. */
export function checkText(source: SourceFile, maxBytes: number): readonly Diagnostic[] {
  const bytes = Buffer.byteLength(source.text)
  if (bytes > maxBytes) {
    const message = `the file has ${bytes} bytes: at most ${maxBytes} are read`
    return [diagnosticAt({ source, start: 0, end: 0 }, { code: 'RB1002', message, hint: 'split it' })]
  }
  const checks = [checkByteOrderMark(source), checkControl(source)]
  return checks.filter((one) => one !== undefined)
}

function checkByteOrderMark(source: SourceFile): Diagnostic | undefined {
  if (!source.text.startsWith(BOM)) return undefined
  const message = 'the file begins with a byte order mark'
  return diagnosticAt({ source, start: 0, end: 1 }, { code: 'RB1003', message, hint: 'save it as UTF-8 without BOM' })
}

function checkControl(source: SourceFile): Diagnostic | undefined {
  const found = CONTROL.exec(source.text)
  if (!found) return undefined
  const range = { source, start: found.index, end: found.index + 1 }
  if (found[0] === '\r') {
    const message = 'lines end in carriage returns (CRLF)'
    return diagnosticAt(range, { code: 'RB1003', message, hint: 'save it with LF line ends' })
  }
  const name = `U+${found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
  const hint = `in a double-quoted scalar, write it as \\u${name.slice(2)}`
  return diagnosticAt(range, { code: 'RB1003', message: `the file holds the control character ${name}`, hint })
}
