/**
 * The path that a template of Helm, Jinja or kro names, alone or ahead of filters, as an expression names it. `undefined`: it is something
 * else, such as the call of a function or a condition.
 */
export function meantByTemplate(inner: string): string | undefined {
  const path = /^\s*-?\s*([\w.]+)\s*-?(?:\||$)/.exec(inner)?.[1]
  return path === undefined ? undefined : meantBy(path)
}

function meantBy(path: string): string {
  if (path.startsWith('.Values.')) return `spec.${path.slice('.Values.'.length)}`
  if (path === '.Release.Name') return 'metadata.name'
  if (path === '.Release.Namespace') return 'metadata.namespace'
  const plain = path.replace(/^(?:self|schema)\./, '').replace(/^(?:ansible_operator_meta|meta)\./, 'metadata.')
  return /^(?:metadata|spec)\b/.test(plain) ? plain : `$${plain.replace(/^\./, '')}`
}

/** What is said of a template that stands where YAML reads a map, or a broken one. */
export const FOREIGN_TEMPLATE = '`{{ }}` is a template of Helm or Jinja, which is not filled in here'
export const FOREIGN_STATEMENT = 'this is a statement of Helm or Jinja, which is not carried out here'

/** The same text in quotes with expressions in place of templates, if each of them is a path. */
export function withExpressions(text: string): string | undefined {
  const written = text.replaceAll(/\{\{-?\s*\$?([\w.]+)\s*-?\}\}/g, (_, path: string) => `\${${meantBy(path)}}`)
  return written.includes('{{') || /["\\]/.test(written) ? undefined : `"${written}"`
}

/** A line that is nothing but a statement of Helm or Jinja. */
const STATEMENT = /^\s*(?:\{\{-?\s*(\w+)\b.*\}\}|\{%-?\s*(\w+)\b.*%\})\s*$/

/** What a line says instead of a task or a field, when it is a statement of Helm or Jinja: a hint. */
export function hintForStatement(line: string): string | undefined {
  const found = STATEMENT.exec(line)
  const word = found?.[1] ?? found?.[2]
  return word === undefined ? undefined : STATEMENTS.get(word)
}

const CONDITION = 'give the task a condition: `when: ${spec.enabled}`'
const LOOP = 'give the task a loop: `loop: ${spec.items}`'
const STATEMENTS: ReadonlyMap<string, string> = new Map([
  ...['if', 'else', 'elif', 'with', 'end', 'endif'].map((word) => [word, CONDITION] as const),
  ...['range', 'for', 'endfor'].map((word) => [word, LOOP] as const),
  ...['define', 'include', 'template', 'block', 'set'].map(
    (word) => [word, 'give a value a name by `vars` or `set`, or fill in a file by `$template("…")`'] as const,
  ),
])
