/** A replacement that a hint of a diagnostic proposes. */
export interface QuickFix {
  /** What is replaced: that which the diagnostic is about, or another part of its line. */
  readonly old: string
  readonly text: string
}

/** The text that a diagnostic is about. */
export interface WrittenText {
  readonly text: string
  /** The line in which it begins. */
  readonly line: string
}

/** What a hint proposes to write, or `undefined` when it is advice for a person. */
export function quickFixFor(hint: string, written: WrittenText): QuickFix | undefined {
  for (const { pattern, fix } of FIXES) {
    const found = pattern.exec(hint)
    if (!found) continue
    const fixed = fix(found[1] ?? '', written)
    return fixed.text === fixed.old || fixed.old === '' ? undefined : fixed
  }
  return undefined
}

interface HintForm {
  readonly pattern: RegExp
  fix(found: string, written: WrittenText): QuickFix
}

const FIXES: readonly HintForm[] = [
  { pattern: /^did you mean `([^`]+)`\?$/, fix: withQuotes },
  { pattern: /^did you mean "([^"]+)"\?$/, fix: withQuotes },
  { pattern: /^did you mean (\S+)\?$/, fix: withQuotes },
  { pattern: /^write ("[^"]*")$/, fix: (found, { text }) => ({ old: text, text: found }) },
  { pattern: /^write `(\$\{[\w.$]+\})`$/, fix: asExpression },
  { pattern: /^write it without quotes: `([^`]+)`$/, fix: (found, { text }) => ({ old: text, text: found }) },
  { pattern: /^texts are joined by `&`: write `(.+)`$/s, fix: joined },
  { pattern: /^a text needs quotes: `"([^"`]+)"`$/, fix: asLiteral },
  { pattern: /^write `\$\{… \? "True" : "False"\}`$/, fix: asStatus },
  { pattern: /^write `\$\{\[ … \]\}`/, fix: (_found, { text }) => ({ old: text, text: `[${text}]` }) },
  { pattern: /^write `\$\{\$string\(…\)\}`/, fix: asText },
  { pattern: /^write `\$\{\$number\(…\)\}`/, fix: (_found, { text }) => ({ old: text, text: `$number(${text})` }) },
  { pattern: /^write `\$exists\(…\)`/, fix: (_found, { text }) => ({ old: text, text: `$exists(${text})` }) },
  { pattern: /^write `\?\?` to keep/, fix: (_found, { text }) => ({ old: text, text: text.replace('?:', '??') }) },
  {
    pattern: /^YAML needs quotes around this expression: (.*)$/,
    fix: (found) => ({ old: unquoted(found), text: found }),
  },
]

/** Quotes of YAML around the text that is replaced stay. */
function withQuotes(found: string, { text }: WrittenText): QuickFix {
  const [quote = ''] = /^["'`](?=.*["'`]$)/.exec(text) ?? []
  return { old: text, text: found.startsWith(quote) && quote !== '' ? found : `${quote}${found}${quote}` }
}

/** A number that stands in the file is put in quotes; what an expression yields is printed. */
function asText(_found: string, { text, line }: WrittenText): QuickFix {
  const isLiteral = /^[\w.+-]+$/.test(text) && !line.slice(0, line.indexOf(text)).includes('${')
  return { old: text, text: isLiteral ? `"${text}"` : `$string(${text})` }
}

/** In place of a template of another language that is nothing but a path. */
function asExpression(found: string, { text, line }: WrittenText): QuickFix {
  const isWithin = /\$\{[^}]*$/.test(line.slice(0, line.indexOf(text)))
  const isPath = !isWithin && /^(?:\{\{-?\s*[\w.]+\s*-?\}\}|\$\([\w.]+\))$/.test(text)
  return { old: text, text: isPath ? found : text }
}

/** Where the file has escapes in the text, it is left to a person. */
function joined(found: string, { text }: WrittenText): QuickFix {
  const isPlain = found.replaceAll('&', '+') === text.replaceAll('&', '+')
  return { old: text, text: isPlain ? found : text }
}

/** In a text of YAML with double quotes, those of an expression are single. */
function asLiteral(found: string, { text, line }: WrittenText): QuickFix {
  const quote = isInDoubleQuotes(text, line) ? "'" : '"'
  return { old: text, text: `${quote}${found}${quote}` }
}

/** YAML ends a text without quotes at the colon. What chooses already is left to a person. */
function asStatus(_found: string, { text, line }: WrittenText): QuickFix {
  if (text.includes('?')) return { old: text, text }
  const condition = /^\$string\((.*)\)$/s.exec(text)?.[1] ?? text
  if (isInDoubleQuotes(text, line)) return { old: text, text: `${condition} ? 'True' : 'False'` }
  const whole = `\${${text}}`
  const isBare = line.includes(`: ${whole}`)
  const chosen = `${condition} ? "True" : "False"`
  return isBare ? { old: whole, text: `'\${${chosen}}'` } : { old: text, text: chosen }
}

function isInDoubleQuotes(text: string, line: string): boolean {
  return /"[^"']*\$\{[^}]*$/.test(line.slice(0, line.indexOf(text)))
}

function unquoted(text: string): string {
  return text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text.slice(1, -1)
}
