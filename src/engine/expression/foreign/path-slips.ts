import { type SlipRule, VALUE } from './slip.ts'

/** What can be read and means something else than its author thinks. */
export const PATH_SLIPS: readonly SlipRule[] = [
  {
    pattern: /(?<![\w$.`])(?:self|schema|this|cr)\.(spec|metadata|status)\b/,
    message: 'the resource has no name: a path begins with its field',
    rewrite: ([, field = '']) => field,
    hint: 'write `spec…` or `metadata…`; within a path, `$$.spec…`',
  },
  {
    pattern: /\$(spec|metadata)\b(?=[.[]|\s*$)/,
    message: 'a field of the resource has no `$`',
    rewrite: ([, field = '']) => field,
    hint: 'write `spec…`; `$` begins variables',
  },
  {
    pattern: /(?<![\w$.`])ansible_operator_meta\.(\w+)/,
    message: 'the metadata of the resource is in `metadata`',
    rewrite: ([, field = '']) => `metadata.${field}`,
    hint: 'write `metadata.…`',
  },
  {
    pattern: /(?<!\bi)([\w`\]])\[\s*["']([^"']*)["']\s*\]/,
    message: 'a text in brackets is a condition here, and always true',
    rewrite: ([, before = '', name = '']) => (/^\w+$/.test(name) ? `${before}.${name}` : `${before}.\`${name}\``),
    hint: 'write the name after a dot, in backquotes when it has other letters: spec.`a-b`',
  },
  {
    pattern: new RegExp(String.raw`(${VALUE})\s*(!=|=)\s*(?:null|None|nil|undefined)\b`),
    message: 'what is absent is not equal to null',
    rewrite: ([, value = '', sign]) => (sign === '=' ? `$not($exists(${value}))` : `$exists(${value})`),
    hint: 'write `$exists(…)`',
  },
  {
    pattern: /\s+or\s+(?=(?:"_*"|'_*')\s*(?:$|[),\]}]))/,
    message: '`or` gives true or false: a default is given by `??`',
    rewrite: () => ' ?? ',
    hint: 'write `??`',
  },
  {
    pattern: /(?<![\w$.`])True\b/,
    message: 'true is written with small letters',
    rewrite: () => 'true',
    hint: 'write `true`',
  },
  {
    pattern: /(?<![\w$.`])False\b/,
    message: 'false is written with small letters',
    rewrite: () => 'false',
    hint: 'write `false`',
  },
  {
    pattern: /(?<![\w$.`])(?:None|nil|undefined)(?!\s*:)\b/,
    message: 'nothing is written `null`',
    rewrite: () => 'null',
    hint: 'write `null`, or ask by `$exists(…)`',
  },
]
