/**
 * Puts the problems that Helm lists in an order of their own. Helm gives those of a schema in another order each time,
 * and what stands in a condition must not change while the problem does not.
 */
export function sortProblems(message: string): string {
  return printLines(readItems(message.split('\n'), 0))
}

/** A line and those below it that are indented deeper. */
interface Item {
  readonly line: string
  readonly children: readonly Item[]
}

const BULLET = /^ *- /

function readItems(lines: readonly string[], depth: number): readonly Item[] {
  const starts = lines.flatMap((line, i) => (indentOf(line) <= depth || i === 0 ? [i] : []))
  return starts.map((start, i) => {
    const [line = '', ...below] = lines.slice(start, starts[i + 1])
    const [first] = below
    return { line, children: first === undefined ? [] : readItems(below, indentOf(first)) }
  })
}

/** Neighbours that are problems change places; other lines stay where they are. */
function printLines(items: readonly Item[]): string {
  const parts = items.map(({ line, children }) => {
    return { isProblem: BULLET.test(line), text: children.length === 0 ? line : `${line}\n${printLines(children)}` }
  })
  const sorted: string[] = []
  for (let start = 0; start < parts.length; ) {
    const next = parts.findIndex(({ isProblem }, i) => i >= start && !isProblem)
    const end = next === -1 ? parts.length : Math.max(next, start + 1)
    const run = parts.slice(start, end).map(({ text }) => text)
    sorted.push(...(parts[start]?.isProblem ? run.sort() : run))
    start = end
  }
  return sorted.join('\n')
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
