import { type Finding, type QuickFix, replaced, rewritten, type Span, stretchOf, textOf } from './finding.ts'
import type { HintForm } from './hint-form.ts'

/** Hints about an expression, or about what should be one. */
export const EXPRESSION_FORMS: readonly HintForm[] = [
  { pattern: /^write `\$\{((?:(?!\}`)[^…])+)\}`(?: to count)?$/s, fixes: asExpression },
  {
    pattern: /^write `\$\{((?:(?!\}`)[^…])+)\}`; .+$/s,
    fixes: (finding, found) => asExpression(finding, found).map((fix) => ({ ...fix, isOnly: false })),
  },
  {
    pattern: /^write `\$\{([^`…]+)\}` for its parts, or `\$\{([^`…]+)\}` for a list of one$/,
    fixes: (finding, found) =>
      found.flatMap((one) => asExpression(finding, [one]).map((fix) => ({ ...fix, isOnly: false }))),
  },
  { pattern: /^texts are joined by `&`: write `(.+)`$/s, fixes: joined },
  { pattern: /^a text needs quotes: `("[^"`]+")`$/, fixes: inPlace((found) => found) },
  { pattern: /^write `\$\{… \? "True" : "False"\}`$/, fixes: inPlace((_found, text) => asStatus(text)) },
  { pattern: /^write `\$\{\[ … \]\}`/, fixes: inPlace((_found, text) => `[${text}]`) },
  { pattern: /^(?:write `\$\{)?`?\$string\(…\)/, fixes: inPlace((_found, text) => `$string(${text})`) },
  {
    pattern: /^(?:write `\$\{)?`?\$number\(…\)\}?`(?! makes a number of a text,)/,
    fixes: inPlace((_found, text) => `$number(${text})`),
  },
  {
    pattern: /^write `\$exists\(…\)`, or compare it$/,
    fixes: (finding, found) => asExistence(finding, found).map((fix) => ({ ...fix, isOnly: false })),
  },
  { pattern: /^write `\?\?` to keep/, fixes: inPlace((_found, text) => (text === '?:' ? '??' : text)) },
  {
    pattern: /^within a step, names are those of its item: the resource's is `(\$\$\.\w+)`$/,
    fixes: inPlace((found) => found),
  },
  { pattern: /^`-` subtracts: one name with `-` in it is `([\w-]+)` in backquotes$/, fixes: inBackquotes },
  { pattern: /^one name with `-` in it is written in backquotes: `([\w-]+)`$/, fixes: inBackquotes },
  { pattern: /^write `(\$\$\{[^`]+\})` to keep it for a shell/, fixes: asShellText },
  { pattern: /^put it between `\$\{` and `\}`$/, fixes: inBraces },
]

/** The whole expression around the place, or the template of another language there, is written anew. */
function asExpression(finding: Finding, [found = '']: readonly string[]): readonly QuickFix[] {
  const { whole, from = 0, expression } = textOf(finding) ?? {}
  if (!whole) return []
  const place = expression ? { from: expression.from - 2, to: expression.to + 1 } : templateAt(whole.value, from)
  return place ? replaced(finding, whole, { ...place, text: `\${${found}}` }) : []
}

/** A template that is nothing but a path: what else one does would be lost. */
function templateAt(value: string, from: number): Span | undefined {
  const [written] = /^(?:\{\{-?\s*[\w.]+\s*-?\}\}|\$\([\w.]+\)|\$\w+(?:\.\w+)+)/.exec(value.slice(from)) ?? []
  return written === undefined ? undefined : { from, to: from + written.length }
}

/** A part of an expression is written anew; what stands outside of one is no expression. */
function inPlace(write: (found: string, text: string) => string): HintForm['fixes'] {
  return (finding, [found = '']) => {
    const stretch = stretchOf(finding)
    const { expression, from = 0, to = 0, text = '' } = stretch ?? {}
    const isPart = expression !== undefined && from >= expression.from && to <= expression.to
    return stretch && isPart ? replaced(finding, stretch.whole, { from, to, text: write(found, text) }) : []
  }
}

function joined(finding: Finding, [found = '']: readonly string[]): readonly QuickFix[] {
  const stretch = stretchOf(finding)
  const isSame = stretch && found.replaceAll('&', '+') === stretch.text.replaceAll('&', '+')
  return isSame ? replaced(finding, stretch.whole, { ...stretch, text: found }) : []
}

/** What chooses already is left to a person. */
function asStatus(text: string): string {
  const condition = /^\$string\((.*)\)$/s.exec(text)?.[1] ?? text
  return text.includes('?') ? text : `${condition} ? "True" : "False"`
}

function inBackquotes(finding: Finding, [name = '']: readonly string[]): readonly QuickFix[] {
  const stretch = stretchOf(finding)
  const from = stretch ? stretch.whole.value.lastIndexOf(name, stretch.from) : -1
  const isHere = stretch?.expression && from >= stretch.expression.from && from + name.length > stretch.from
  return isHere ? replaced(finding, stretch.whole, { from, to: from + name.length, text: `\`${name}\`` }) : []
}

/** A word alone may be anything. */
function inBraces(finding: Finding): readonly QuickFix[] {
  const { whole } = textOf(finding) ?? {}
  if (!whole || /^\w*$/.test(whole.value) || whole.value.includes('${')) return []
  return replaced(finding, whole, { from: 0, to: whole.value.length, text: `\${${whole.value}}` })
}

/** What is computed by more than a path, `$exists` would not ask about. */
function asExistence(finding: Finding, found: readonly string[]): readonly QuickFix[] {
  const { text = '' } = stretchOf(finding) ?? {}
  const isPath = /^[\w$`][\w$.`[\]-]*$/.test(text)
  return isPath ? inPlace(() => `$exists(${text})`)(finding, found) : []
}

/** One more `$` makes a text of it, in any notation. */
function asShellText({ file, start }: Finding, [found = '']: readonly string[]): readonly QuickFix[] {
  const written = found.replaceAll('$${', () => '${')
  const isHere = file.text.startsWith(written, start)
  return isHere ? [rewritten({ start, end: start + written.length }, found)] : []
}
