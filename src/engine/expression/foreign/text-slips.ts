import { maskTexts } from './mask-texts.ts'
import { type SlipRule, VALUE } from './slip.ts'

/** Texts, templates within expressions, and brackets. */
export const TEXT_SLIPS: readonly SlipRule[] = [
  {
    pattern: /\{\{[-\s]*(.*?)[-\s]*\}\}/,
    message: '`{{ }}` is not needed: this is an expression already',
    rewrite: ([, inner = '']) => inner,
    hint: 'leave the braces out',
  },
  {
    pattern: /^\s*\{\s*([\w.]+)\s*\}\s*$/,
    message: '`${{ }}` is of GitHub: an expression stands in one pair of braces',
    rewrite: ([, inner = '']) => inner,
    hint: 'leave the inner braces out',
  },
  {
    pattern: /(?<![\w$])[fr](?=["'])/,
    message: 'a text has no letter before its quotes',
    hint: 'join texts by `&`: `"a-" & name`',
  },
  {
    pattern: /\{%.*?%\}/,
    message: 'there are no statements of Jinja here',
    hint: 'write `condition ? one : other`, or `list.(…)`',
  },
  {
    pattern: /\b(?:printf|print)\s+["'].*/,
    message: 'there is no `printf`',
    hint: 'join texts by `&`: `"a-" & name`',
  },
  {
    pattern: /\b(?:include|tpl)\s+["'$.]/,
    message: 'there are no templates of Helm here',
    hint: 'give a variable its value by `vars` or `set`, or fill in a file by `$template("…")`',
  },
  {
    pattern: /\.Values\.([\w.]+)/,
    message: '`.Values` is of Helm: the fields of the resource are in `spec`',
    rewrite: ([, path = '']) => `spec.${path}`,
    hint: 'write `spec.…`',
  },
  {
    pattern: /\.Release\.Name\b/,
    message: '`.Release` is of Helm',
    rewrite: () => 'metadata.name',
    hint: 'write `metadata.name`',
  },
  {
    pattern: /\.Release\.Namespace\b/,
    message: '`.Release` is of Helm',
    rewrite: () => 'metadata.namespace',
    hint: 'write `metadata.namespace`',
  },
  {
    pattern: /(?<![\w$.\])`"'])\.(spec|metadata)\b/,
    message: 'a path begins with the name of a field',
    rewrite: ([, field = '']) => field,
    hint: 'write it without the first dot',
  },
]

/** Texts that can be read, and are none. */
export const READABLE_TEXT_SLIPS: readonly SlipRule[] = [
  {
    pattern: /[\u201C\u201D\u201E\u2018\u2019\u00AB\u00BB]/,
    message: 'a text stands in straight quotes',
    hint: 'write `"` or `\'`',
  },
  {
    pattern: /`[^`]*\$\{/,
    message: 'backquotes are for names of fields: texts are joined by `&`',
    hint: 'write `"a-" & name`',
  },
  {
    pattern: /(?:"_*"|'_*')\s*%\s*[\w($]/,
    message: '`%` is the remainder of a division',
    hint: 'join texts by `&`: `"a-" & name`',
  },
  {
    pattern: /(?:"_*"|'_*')\s*\.\s*format\s*\(/,
    message: 'there is no `format`',
    hint: 'join texts by `&`: `"a-" & name`',
  },
  {
    pattern: new RegExp(String.raw`\b(?:quote|squote)\s+(\.?${VALUE})`),
    message: 'a value needs no quotes of its own',
    rewrite: ([, value = '']) => `$string(${value})`,
    hint: 'write `$string(…)`',
  },
]

/** `+` beside a text: the proposal joins texts by `&`. It is not a slip by itself, because the types of the operands say more. */
export const JOINED_TEXTS: SlipRule = {
  pattern: /^.*(?:["']\s*\+|\+\s*["']).*$/s,
  message: 'texts are joined by `&`',
  rewrite: ([whole = '']) => {
    const masked = maskTexts(whole)
    const units = whole.split('')
    return units.map((unit, at) => (masked.charAt(at) === '+' && !isSum(masked, at) ? '&' : unit)).join('')
  },
  hint: 'write `&`',
}

/** Whether the sign stands beside a number. */
function isSum(masked: string, at: number): boolean {
  return /[\s(]\d+\s*$/.test(masked.slice(0, at)) || /^\s*\d/.test(masked.slice(at + 1))
}
