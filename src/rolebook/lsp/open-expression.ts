import { scanSource } from '../../engine/expression/scan-source.ts'

/** The offset just behind the `${` that a text leaves open at its end. */
export function openExpression(text: string): number | undefined {
  for (let dollar = text.indexOf('${'); dollar !== -1; ) {
    const isLiteral = dollar > 0 && text.charAt(dollar - 1) === '$'
    const end = isLiteral ? dollar + 2 : endOf(text, dollar + 2)
    if (end === undefined) return dollar + 2
    dollar = text.indexOf('${', end)
  }
  return undefined
}

/** Just behind the brace that closes the expression which begins at `start`. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0
  for (const { text: token, start: at } of scanSource(text, start)) {
    if (token === '{') depth += 1
    else if (token === '}' && depth === 0) return at + 1
    else if (token === '}') depth -= 1
  }
  return undefined
}

const PARTNERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** What closes everything that an expression leaves open at its end. */
export function closersOf(source: string): string {
  const open: string[] = []
  let end = 0
  for (const token of scanSource(source)) {
    if (token.kind === 'open') open.push(PARTNERS[token.text] as string)
    if (token.kind === 'close') open.pop()
    end = token.end
  }
  return `${quoteOf(source.slice(end))}${open.reverse().join('')}`
}

/** Whether an expression ends within a text in quotes, in which no names stand. */
export function isWithinText(source: string): boolean {
  return /^["']/.test(closersOf(source))
}

/** The scan ends at a text that is not closed. */
function quoteOf(rest: string): string {
  const first = rest.trimStart().charAt(0)
  return first === '"' || first === "'" || first === '`' ? first : ''
}
