import { readFileSync, writeFileSync } from 'node:fs'

/** Puts figures into a page, between `<!-- figures: NAME -->` and `<!-- end of figures -->`. */
export function writeFigures(page: string, name: string, figures: string): void {
  writeFileSync(page, withFigures(readFileSync(page, 'utf8'), name, figures))
}

/** @throws Error when the page has no place for them */
export function withFigures(text: string, name: string, figures: string): string {
  const begin = `<!-- figures: ${name} -->\n`
  const start = text.indexOf(begin)
  const end = text.indexOf('<!-- end of figures -->', start)
  if (start < 0 || end < 0) throw new Error(`cannot write figures: the page has no "${begin.trim()}" with its end`)
  return `${text.slice(0, start)}${begin}${figures}\n${text.slice(end)}`
}
