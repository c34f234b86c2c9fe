import { isNoCondition, negationByType, otherNegation } from './by-type.ts'
import { type SlipKnowledge, type SlipRule, VALUE } from './slip.ts'

function negation(value: string, known: SlipKnowledge): string {
  const inner = value.startsWith('(') ? value.slice(1, -1) : value
  return negationByType(inner, known) ?? `$not(${inner})`
}

/** A text as a regular expression. What is not a text, or is one already, stays as it is. */
function regexOf(pattern: string): string {
  const text = /^(["'])(.*)\1$/.exec(pattern)?.[2]
  return text === undefined ? pattern : `/${text.replaceAll('\\\\', '\\').replaceAll('/', '\\/')}/`
}

/** Operators of other languages. What ends in a text is a default: `||` and `or` give true or false. */
export const OPERATOR_SLIPS: readonly SlipRule[] = [
  {
    pattern: /([!=])==/,
    message: 'equality is one `=`',
    rewrite: ([, sign]) => (sign === '!' ? '!=' : '='),
    hint: 'write `=` or `!=`',
  },
  { pattern: /(?<![<>!:=])==(?!=)/, message: 'equality is one `=`', rewrite: () => '=', hint: 'write `=`' },
  { pattern: /<>/, message: 'inequality is `!=`', rewrite: () => '!=', hint: 'write `!=`' },
  { pattern: /\s*=~\s*/, message: '`=~` is not an operator', hint: 'write `$contains(text, /pattern/)`' },
  {
    pattern: new RegExp(String.raw`(${VALUE})\s+matches\s+(${VALUE})`),
    message: '`matches` is not an operator',
    rewrite: ([, text = '', pattern = '']) => `$contains(${text}, ${regexOf(pattern)})`,
    hint: 'write `$contains(text, /pattern/)`',
  },
  { pattern: /\s*&&\s*/, message: '`&&` is written `and`', rewrite: () => ' and ', hint: 'write `and`' },
  {
    pattern: /\s*\|\|\s*(?=["'\d])/,
    message: 'a default is given by `??`',
    rewrite: () => ' ?? ',
    hint: 'write `??` for a default, and `or` for either of two conditions',
  },
  {
    pattern: new RegExp(String.raw`(?<=(${VALUE}))\s*\|\|\s*`),
    when: ([, left = ''], known) => isNoCondition(left, known),
    message: 'a default is given by `??`',
    rewrite: () => ' ?? ',
    hint: 'write `??` for a default, and `or` for either of two conditions',
  },
  {
    pattern: /\s*\|\|\s*/,
    message: '`||` is written `or`',
    rewrite: () => ' or ',
    hint: 'write `or`, or `??` for a default',
  },
  {
    pattern: /\bnot\s+in\b/,
    message: '`not in` is `$not(… in …)`',
    hint: 'write `$not(x in list)`',
  },
  {
    pattern: new RegExp(String.raw`!\s*(${VALUE}|\((?:[^()]|\([^()]*\))*\))(?!\s*=)`),
    message: 'negation is `$not(…)`',
    rewrite: ([, value = ''], known) => negation(value, known),
    also: ([, value = ''], known) => otherNegation(value, known),
    hint: 'write `$not(…)`',
  },
  {
    pattern: new RegExp(String.raw`(?<![\w$.]|\bis\s)not\s+(?!in\b)(${VALUE}|\((?:[^()]|\([^()]*\))*\))`),
    message: 'negation is `$not(…)`',
    rewrite: ([, value = ''], known) => negation(value, known),
    also: ([, value = ''], known) => otherNegation(value, known),
    hint: 'write `$not(…)`',
  },
  {
    pattern: /\?\.(?=[A-Za-z`])/,
    message: 'a path needs no `?.`: it yields nothing where a field is absent',
    rewrite: () => '.',
    hint: 'write `.`',
  },
  {
    pattern: /\+\+|--(?=\s*$)/,
    message: 'nothing is counted up here: an expression changes no variable',
    hint: 'write `… + 1`',
  },
  {
    pattern: /(?<=^|\s)(?:\/\/|#)\s.*$/m,
    message: 'comments are written `/* … */`',
    hint: 'remove it, or write `/* … */`',
  },
  {
    pattern: /\(?(?:\b\w+|\([\w, ]*\))\s*=>\s*/,
    message: 'a function is written `function($x){ … }`',
    hint: 'write `function($x){ … }`, or a path: `list.name`, `list[size > 1]`',
  },
  {
    pattern: /\blambda\s+\w+\s*:/,
    message: 'a function is written `function($x){ … }`',
    hint: 'write `function($x){ … }`, or a path: `list.name`, `list[size > 1]`',
  },
  {
    pattern: /\bfor\s+\w+(?:\s*,\s*\w+)?\s+in\b/,
    message: 'there is no `for`: a path goes over a list by itself',
    hint: 'write `list.(…)` for each item, `list[…]` for those that fit',
  },
  {
    pattern: new RegExp(String.raw`(${VALUE})\s+if\s+(.+?)\s+else\s+(.+)$`),
    message: 'a choice is `condition ? one : other`',
    rewrite: ([, one = '', condition = '', other = '']) => `${condition} ? ${one} : ${other}`,
    hint: 'write `condition ? one : other`',
  },
  {
    pattern: /\bif\b\s*(.+?)\s*\bthen\b\s*(.+?)\s*\belse\b\s*(.+?)\s*(?:\bend\b|\bfi\b)?$/,
    message: 'a choice is `condition ? one : other`',
    rewrite: ([, condition = '', one = '', other = '']) => `${condition} ? ${one} : ${other}`,
    hint: 'write `condition ? one : other`',
  },
  { pattern: /\bif\b\s*\(/, message: 'a choice is `condition ? one : other`', hint: 'write `condition ? one : other`' },
  {
    pattern: /\b(?:let|var|const)\s+\w+\s*=/,
    message: 'a variable is given by `$name := …` within `( … )`',
    hint: 'write `($x := …; …)`, or use `vars` or `set`',
  },
]
