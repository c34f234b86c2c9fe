import type { Random } from '../random.ts'

/** Pieces that mean something to YAML, to JSONata, to roles, or to JavaScript. */
const PIECES = [
  ...[
    '${',
    '}',
    '${ }',
    '$${',
    '${$',
    '${metadata.name}',
    '${spec.size}',
    '${[spec.items.name]}',
    '${$item.name}',
    '${$$}',
  ],
  ...[
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '`',
    '/',
    '/*',
    '*/',
    '\\',
    '~>',
    ':=',
    '??',
    '?:',
    '..',
    '**',
    '%',
    '@$p',
    '#$i',
  ],
  ...[
    'function($x){ $x }',
    '$map(',
    '$eval("1")',
    '$now()',
    '/(a+)+$/',
    '^(>a, <b)',
    '|$|{}|',
    '$f($f)',
    '1e400',
    '-0',
  ],
  ...[
    ': ',
    '- ',
    '? ',
    ' #',
    '|\n',
    '>-\n',
    '&a ',
    '*a',
    '<<: *a',
    '!!binary ',
    '!tag ',
    '---\n',
    '...\n',
    '%YAML 1.1\n',
    '\t',
    '\r\n',
  ],
  ...[
    '0644',
    'on',
    'yes',
    'null',
    '~',
    '1_000',
    '1.10',
    '.inf',
    '0o17',
    '9007199254740993',
    '2026-01-01',
    '""',
    '{}',
    '[]',
  ],
  ...[
    'tasks:\n',
    'vars:\n',
    '- ensure:\n',
    'block: {tasks: []}',
    'loop: ${',
    'when: true\n',
    'register: x\n',
    'include: {tasks: ../x}',
  ],
  ...[
    '__proto__: 1\n',
    'constructor: {}\n',
    'prototype',
    'toString',
    '\u0000',
    '\ufeff',
    '\ud800',
    '\u2028',
    '💥',
    'ü',
    '\u001b[31m',
  ],
] as const

/** A text with a few of its places damaged: as by a slip, a bad merge, a hostile author. */
export function damageText(random: Random, text: string): string {
  let damaged = text
  for (let times = 1 + random.below(5); times > 0; times--) damaged = damageOnce(random, damaged)
  return damaged
}

function damageOnce(random: Random, text: string): string {
  const from = random.below(text.length + 1)
  const to = Math.min(text.length, from + 1 + random.below(random.chance(0.8) ? 12 : 400))
  const [head, middle, tail] = [text.slice(0, from), text.slice(from, to), text.slice(to)]
  const lines = text.split('\n')
  return random.weighted([
    [5, () => head + random.pick(PIECES) + text.slice(from)],
    [3, () => head + random.pick(PIECES) + tail],
    [3, () => head + tail],
    [1, () => head + middle + middle + tail],
    [1, () => head + middle.repeat(1 + random.below(300)) + tail],
    [1, () => head],
    [2, () => head + [...middle].reverse().join('') + tail],
    [2, () => withLine(lines, random.below(lines.length), ' '.repeat(random.below(9)) + random.pick(lines).trim())],
    [1, () => withLine(lines, random.below(lines.length), nested(random))],
  ])
}

function withLine(lines: readonly string[], at: number, line: string): string {
  return lines.toSpliced(at, 1, line).join('\n')
}

/** Deeper than anyone writes. */
function nested(random: Random): string {
  const depth = random.below(2_000)
  const [open, close] = random.pick([
    ['[', ']'],
    ['{a: ', '}'],
    ['${(', ')}'],
    ['${-', '}'],
    ['"', ''],
  ] as const)
  return `x: ${open.repeat(depth)}1${close.repeat(depth)}`
}
