import type { Finding } from './report.ts'

const WORDS: Readonly<Record<Finding['kind'], string>> = { same: 'moved', note: 'note', decide: 'DECIDE' }

/** What became of every key, variable and task, a line each with its place, and how many of each there are. */
export function printReport(findings: readonly Finding[]): string {
  const lines = findings.map((finding) => {
    const { kind, file, line, column, what, message, code, hint } = finding
    const mark = code === undefined ? '' : `${code} `
    const advice = hint === undefined ? '' : `\n         ${hint}`
    return `${WORDS[kind].padEnd(6)}  ${file}:${line}:${column}  ${what}: ${mark}${message}${advice}\n`
  })
  return `${lines.join('')}${printCounts(findings)}\n`
}

/** `9 moved as they are, 2 with a note, 1 to decide`. */
export function printCounts(findings: readonly Finding[]): string {
  const count = (kind: Finding['kind']): number => findings.filter((finding) => finding.kind === kind).length
  return `${count('same')} moved as they are, ${count('note')} with a note, ${count('decide')} to decide`
}
