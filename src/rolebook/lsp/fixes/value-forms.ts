import { getPath } from '../../../core/base/json.ts'
import { unquotedScalar } from '../../../core/yaml/quoted-expression.ts'
import { withExpressions } from '../../../core/yaml/template-of-others.ts'
import type { YamlText } from './edited-file.ts'
import { type Finding, type QuickFix, replaced, rewritten, stretchOf, textOf } from './finding.ts'
import type { HintForm } from './hint-form.ts'

/** Hints about keys and values of YAML, and names. */
export const VALUE_FORMS: readonly HintForm[] = [
  { pattern: /^did you mean `([^`:]+): ([^`]+)`\?$/, fixes: asEntry },
  { pattern: /^the Pods have `([^`:]+): (.+)`$/, fixes: asEntry },
  { pattern: /^did you mean `((?:(?!: )[^`])+)`\?$/, fixes: asName },
  { pattern: /^did you mean "([^"]+)"\?$/, fixes: asText },
  { pattern: /^did you mean ([^"`\s]\S*)\?$/, fixes: asName },
  { pattern: /^write `apiVersion: (.+)`$/, fixes: asVersion },
  { pattern: /^write ("[^"]*"|\["[^"]*"\])$/, fixes: asWritten },
  { pattern: /^write it without quotes: `([^`]+)`$/, fixes: asWritten },
  { pattern: /^write the (?:key|line) as `(.+)`$/, fixes: asLine },
  { pattern: /^write `\$\{\[ … \]\}` for a list of one$/, fixes: asList },
  { pattern: /^write `\$\{\$string\(…\)\}` for its text$/, fixes: inQuotes },
  { pattern: /^put it in quotes$/, fixes: inQuotes },
  {
    pattern: /^put it in quotes,? (?:for text, )?or write (?:it plainly|true or false)$/,
    fixes: (finding) => inQuotes(finding).map((fix) => ({ ...fix, isOnly: false })),
  },
  { pattern: /^it is called `(\w+)` here(?::|$)/, fixes: asKey },
  { pattern: /^write `when: \$\{[^`…]+\}` in place of the loop$/, fixes: asCondition },
  { pattern: /^begin with `(tasks:)`, and put the list below it$/, fixes: below },
  { pattern: /^write an expression in quotes: (".*")$/, fixes: asQuotedTemplate },
  { pattern: /^YAML needs quotes around this expression: (.*)$/s, fixes: asQuotedExpression },
  { pattern: /^YAML ends unquoted text at `: ` and ` #`; in quotes it is (.*)$/s, fixes: asQuotedExpression },
]

/** Quotes around the name stay. What is computed is not replaced by one of its values. */
function asName(finding: Finding, [name = '']: readonly string[]): readonly QuickFix[] {
  const stretch = stretchOf(finding)
  if (!stretch || stretch.text.includes('${')) return []
  if (!stretch.expression) return replaced(finding, stretch.whole, { ...stretch, text: name })
  const quote = quoteOf(stretch.text)
  if (quote === '' && !/^\$?\w+$/.test(stretch.text)) return []
  const needsQuotes = quote === '' && !/^\$?[\w]+$/.test(name)
  const text = needsQuotes ? `\`${name}\`` : `${quote}${name}${quote}`
  return replaced(finding, stretch.whole, { ...stretch, text })
}

/** In an expression, a text has quotes: what has none computes it. */
function asText(finding: Finding, found: readonly string[]): readonly QuickFix[] {
  const stretch = stretchOf(finding)
  return stretch?.expression && quoteOf(stretch.text) === '' ? [] : asName(finding, found)
}

/** The quotes around a text that is nothing else. Empty: it has none. */
function quoteOf(text: string): string {
  return /^(["'`])(?:(?!\1).)*\1$/s.exec(text)?.[1] ?? ''
}

/** The finding is at the value of an entry, and the hint names both. */
function asEntry({ file, start }: Finding, [key = '', value = '']: readonly string[]): readonly QuickFix[] {
  const whole = file.textAt(start)
  if (whole?.place?.at !== 'value') return []
  const { document, path } = whole.place
  const { start: keyStart, end: keyEnd } = document.locate(path, 'key')
  const renamed = path.at(-1) === key ? [] : [{ start: keyStart, end: keyEnd, text: JSON.stringify(key) }]
  const isComputed = whole.value.includes('${')
  if (whole.value === value) return renamed.length === 0 ? [] : [entryFix(renamed, key, value)]
  const edit = isComputed ? undefined : file.replacePart(whole, { from: 0, to: whole.value.length, text: value })
  return edit ? [entryFix([...renamed, edit], key, value)] : []
}

function entryFix(edits: QuickFix['edits'], key: string, value: string): QuickFix {
  const plain = edits.map((edit) => (/^"[\w./-]+"$/.test(edit.text) ? { ...edit, text: edit.text.slice(1, -1) } : edit))
  return { edits: plain, title: `Replace with ${key}: ${value}` }
}

/** One fix for each version that the kind has. At a kind without a version, it goes before the kind. */
function asVersion(finding: Finding, [found = '']: readonly string[]): readonly QuickFix[] {
  const { file, start } = finding
  const versions = found.split('` or `')
  const isOnly = versions.length === 1
  const whole = file.textAt(start)
  const key = whole?.place?.path.at(-1)
  if (!whole?.place || (key !== 'apiVersion' && key !== 'kind')) return []
  const { document, path } = whole.place
  if (key === 'apiVersion') {
    return versions.map((version) => ({ ...rewritten(whole, version), isOnly }))
  }
  const before = document.locate(path, 'key').start
  return versions.map((version) => {
    const edit = { start: before, end: before, text: `apiVersion: ${version}${separatorAt(file.text, before)}` }
    return { edits: [edit], title: `Add apiVersion: ${version}`, isOnly }
  })
}

/** Between a new entry and the one that begins at an offset. */
function separatorAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /[{,]\s*$/.test(line) ? ', ' : `\n${' '.repeat(line.length)}`
}

function asWritten(finding: Finding, [found = '']: readonly string[]): readonly QuickFix[] {
  return [rewritten(nodeOf(finding), found)]
}

/** The finding is at a line up to its comment. */
function asLine({ start, end }: Finding, [found = '']: readonly string[]): readonly QuickFix[] {
  return [rewritten({ start, end }, found)]
}

/** The key or value in its quotes, or what else the finding is about. */
function nodeOf({ file, start, end }: Finding): { readonly start: number; readonly end: number } {
  const whole = file.textAt(start)
  return whole && whole.start === start ? whole : { start, end }
}

/** A value that is written in one line, in the brackets of YAML. */
function asList(finding: Finding): readonly QuickFix[] {
  const { file, start, end } = finding
  const text = file.text.slice(start, end)
  const whole = file.textAt(start)
  const isMap = text.startsWith('{') && text.endsWith('}')
  const isValue = whole?.place?.at === 'value' && whole.start === start && !whole.value.includes('${')
  return isMap || isValue ? [rewritten({ start, end }, `[${text}]`)] : []
}

/** A number, true or false that stands in the file itself. */
function inQuotes(finding: Finding): readonly QuickFix[] {
  const { start, end } = nodeOf(finding)
  const text = finding.file.text.slice(start, end)
  const isLiteral = !textOf(finding)?.expression && /^[\w.+:-]+$/.test(text)
  return isLiteral ? [rewritten({ start, end }, `"${text}"`)] : []
}

function asKey({ file, start }: Finding, [key = '']: readonly string[]): readonly QuickFix[] {
  const whole = file.textAt(start)
  return whole?.place?.at === 'key' && !siblingsOf(whole.place).includes(key) ? [rewritten(whole, key)] : []
}

function asCondition({ file, start }: Finding): readonly QuickFix[] {
  const whole = file.textAt(start)
  if (whole?.place?.path.at(-1) !== 'loop' || siblingsOf(whole.place).includes('when')) return []
  const { document, path } = whole.place
  return [{ ...rewritten(document.locate(path, 'key'), 'when'), title: 'Replace loop with when' }]
}

/** The keys of the map that a key or value is in. */
function siblingsOf({ document, path }: YamlText['place']): readonly string[] {
  return Object.keys(getPath(document.value, path.slice(0, -1)) ?? {})
}

function below({ start }: Finding, [key = '']: readonly string[]): readonly QuickFix[] {
  return [{ edits: [{ start, end: start, text: `${key}\n` }], title: `Begin with ${key}` }]
}

/** Without templates in the line that mean something else than the hint, which then is an example. */
function asQuotedTemplate({ file, start }: Finding, [found = '']: readonly string[]): readonly QuickFix[] {
  const line = lineAt(file.text, start)
  const scalar = unquotedScalar(line.text)
  if (!scalar || withExpressions(scalar.quoted.slice(1, -1)) !== found) return []
  const same = [...line.text].findIndex((_, index) => line.text[index] !== scalar.line[index])
  const after = scalar.line.length - same - scalar.quoted.length
  const place = { start: line.start + same, end: line.start + line.text.length - after }
  return [rewritten(place, found)]
}

function asQuotedExpression({ file, start }: Finding, [quoted = '']: readonly string[]): readonly QuickFix[] {
  const bare = quoted.startsWith("'") ? quoted.slice(1, -1).replaceAll("''", "'") : quoted.slice(1, -1)
  const line = lineAt(file.text, start)
  const before = line.text.lastIndexOf(bare, start - line.start)
  const at = before === -1 ? line.text.indexOf(bare) : before
  if (at === -1 || bare === '') return []
  return [rewritten({ start: line.start + at, end: line.start + at + bare.length }, quoted)]
}

function lineAt(text: string, offset: number): { readonly start: number; readonly text: string } {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', offset)
  return { start, text: text.slice(start, end === -1 ? undefined : end) }
}
