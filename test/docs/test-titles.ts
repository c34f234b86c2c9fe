import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A `describe` or an `it`, as the source has it. */
interface Titled {
  /** Where its own tests end. */
  readonly end: number
  /** With a group for each part that a row of a table gives. */
  readonly pattern: RegExp
}

/** A text in single or double quotes, a template. */
const SINGLE = String.raw`'((?:\\.|[^'\\\n])*)'`
const DOUBLE = String.raw`"((?:\\.|[^"\\\n])*)"`
const TEMPLATE = '`((?:\\\\.|[^`\\\\])*)`'
const CALL = new RegExp(String.raw`\b(describe|it)\(\s*(?:${SINGLE}|${DOUBLE}|${TEMPLATE}|[^,]+),`, 'g')
const LITERAL = new RegExp(String.raw`${SINGLE}|${DOUBLE}|${TEMPLATE}|([\w.]+)`, 'g')
const IMPORT = /from '(\.[^']+)'/g
const ANYTHING = /^(.+)$/s

/** The titles of tests, read from their source without running it. A title that a table fills in counts with the texts of the rows. */
export class TestTitles {
  readonly #chains: readonly (readonly Titled[])[]
  readonly #texts = new Set<string>()
  readonly #templates: RegExp[] = []

  /** `tables` are the sources of other files that may hold the rows. */
  constructor(source: string, tables: readonly string[] = []) {
    this.#chains = chainsOf(source)
    for (const [, single, double, template, word] of [source, ...tables].flatMap((one) => [...one.matchAll(LITERAL)])) {
      if (template?.includes('${')) this.#templates.push(patternOf(template))
      else this.#texts.add(unescaped(single ?? double ?? template ?? word ?? ''))
    }
  }

  static ofFile(path: string): TestTitles {
    const source = readFileSync(path, 'utf8')
    const imported = [...source.matchAll(IMPORT)].map((match) => join(dirname(path), match[1] ?? ''))
    const tables = imported.filter((file) => file.startsWith('test/') && existsSync(file))
    const texts = tables.map((file) => readFileSync(file, 'utf8'))
    return new TestTitles(source, texts)
  }

  /** Whether there is a test with these titles, from the outermost `describe` to the `it`. */
  has(titles: readonly string[]): boolean {
    return this.#chains.some(
      (chain) =>
        chain.length === titles.length && chain.every(({ pattern }, at) => this.#fits(pattern, titles[at] ?? '')),
    )
  }

  #fits(pattern: RegExp, title: string): boolean {
    const parts = pattern.exec(title)?.slice(1)
    return parts?.every((part) => this.#isInRow(part)) ?? false
  }

  #isInRow(part: string): boolean {
    return this.#texts.has(part) || this.#templates.some((one) => one.test(part)) || this.#isPrinted(part)
  }

  /** A value of a row may be printed as JSON. */
  #isPrinted(part: string): boolean {
    try {
      const value: unknown = JSON.parse(part)
      return typeof value !== 'string' || this.#texts.has(value)
    } catch {
      return false
    }
  }
}

/** Each `it` behind the `describe`s around it, which end at a brace that is indented as they are: the formatter sees to that. */
function chainsOf(source: string): readonly (readonly Titled[])[] {
  const open: Titled[] = []
  const chains: (readonly Titled[])[] = []
  for (const { index, 1: kind, 2: single, 3: double, 4: template } of source.matchAll(CALL)) {
    const line = source.slice(source.lastIndexOf('\n', index) + 1, index)
    const end = source.indexOf(`\n${line.slice(0, line.length - line.trimStart().length)}})`, index)
    while ((open.at(-1)?.end ?? source.length) < index) open.pop()
    const titled = { end, pattern: titlePattern(single ?? double, template) }
    if (kind === 'it') chains.push([...open, titled])
    else open.push(titled)
  }
  return chains
}

function titlePattern(text: string | undefined, template: string | undefined): RegExp {
  if (text !== undefined) return new RegExp(`^${escaped(unescaped(text))}$`, 's')
  return template === undefined ? ANYTHING : patternOf(template)
}

function patternOf(template: string): RegExp {
  const texts = template.split(/(?<!\\)\$\{(?:[^{}]|\{[^{}]*\})*\}/)
  return new RegExp(`^${texts.map((text) => escaped(unescaped(text))).join('(.+?)')}$`, 's')
}

/** As a regular expression that matches nothing else. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t' }

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_all, character: string) => ESCAPES[character] ?? character)
}
