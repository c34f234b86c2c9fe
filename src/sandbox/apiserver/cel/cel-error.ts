/** The expression cannot be compiled; the message has a block per issue, each with its place in the source. */
export class CelCompileError extends Error {
  readonly issues: readonly CelIssue[]

  constructor(source: string, issues: readonly CelIssue[]) {
    super(printIssues(source, issues))
    this.issues = issues
  }
}

/** One thing that is wrong with an expression; `position` is an offset in the source. */
export interface CelIssue {
  readonly position: number
  readonly message: string
}

/** An evaluation has no result: a key is missing, a number overflows. */
export class CelRuntimeError extends Error {}

/** An evaluation was ended because it became too expensive. */
export class CelCostError extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded')
  }
}

export function noSuchOverload(): CelRuntimeError {
  return new CelRuntimeError('no such overload')
}

function printIssues(source: string, issues: readonly CelIssue[]): string {
  const ordered = [...issues].sort((a, b) => a.position - b.position)
  return ordered.map((issue) => printIssue(source, issue)).join('\n')
}

function printIssue(source: string, { position, message }: CelIssue): string {
  if (source === '') return `ERROR: <input>:1:0: ${message}`
  const before = source.slice(0, position).split('\n')
  const line = before.length - 1
  const start = before[line] as string
  const indent = [...start]
  const text = source.split('\n')[line] as string
  const [marked = ''] = [...text.slice(start.length)]
  const pointer = `${indent.map((character) => (isWide(character) ? '．' : '.')).join('')}${isWide(marked) ? '＾' : '^'}`
  return `ERROR: <input>:${line + 1}:${indent.length + 1}: ${message}\n | ${text.replaceAll('\t', ' ')}\n | ${pointer}`
}

/** Counted in bytes, as the real server does. */
function isWide(character: string): boolean {
  return character > '\x7f'
}
