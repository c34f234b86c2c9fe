/** What a function of JSONata is called with, and what it yields, for people. */
export interface BuiltinDoc {
  /** `text, start, length?`: with `?` what may be left out. */
  readonly parameters: string
  readonly doc: string
}

/** By the name of the function. All that `BUILTIN_FUNCTIONS` has. */
export const BUILTIN_DOCS: Readonly<Record<string, BuiltinDoc>> = {
  abs: { parameters: 'number', doc: 'The number without its sign.' },
  append: {
    parameters: 'first, second',
    doc: 'One list of the items of both. A single value counts as a list of one.',
  },
  assert: {
    parameters: 'condition, message?',
    doc: 'Fails with the message when the condition is false, and yields nothing else.',
  },
  average: { parameters: 'numbers', doc: 'The mean of the numbers.' },
  base64decode: { parameters: 'text', doc: 'The text that a base64 text stands for.' },
  base64encode: { parameters: 'text', doc: 'The text as base64.' },
  boolean: {
    parameters: 'value',
    doc: 'Whether the value counts as true: not so empty text, 0, an empty list or object, null.',
  },
  ceil: { parameters: 'number', doc: 'The number, rounded up to a whole one.' },
  contains: { parameters: 'text, pattern', doc: 'Whether the text holds another text, or matches a /pattern/.' },
  count: { parameters: 'list', doc: 'How many items there are: 0 for nothing, 1 for a single value.' },
  decodeUrl: { parameters: 'text', doc: 'A URL without its percent encoding.' },
  decodeUrlComponent: { parameters: 'text', doc: 'A part of a URL without its percent encoding.' },
  distinct: { parameters: 'list', doc: 'The list with each value once.' },
  each: {
    parameters: 'object, function',
    doc: 'What `function($value, $name)` yields for each field of the object, as a list.',
  },
  encodeUrl: { parameters: 'text', doc: 'A URL with percent encoding where it needs it.' },
  encodeUrlComponent: { parameters: 'text', doc: 'The text as a part of a URL, with percent encoding.' },
  error: { parameters: 'message?', doc: 'Fails with the message.' },
  exists: { parameters: 'path', doc: 'Whether there is a value.' },
  filter: { parameters: 'list, function', doc: 'The items for which `function($item, $index, $list)` yields true.' },
  floor: { parameters: 'number', doc: 'The number, rounded down to a whole one.' },
  formatBase: { parameters: 'number, base?', doc: 'The whole number in another base, from 2 to 36. Defaults to 10.' },
  formatInteger: {
    parameters: 'number, picture',
    doc: 'The whole number as the picture says: `"000"`, `"w"` in words, `"I"` in Roman numerals.',
  },
  formatNumber: { parameters: 'number, picture, options?', doc: 'The number as the picture says: `"#,##0.00"`.' },
  fromMillis: {
    parameters: 'milliseconds, picture?, timezone?',
    doc: 'The time, in milliseconds since 1970, as text. Defaults to ISO 8601.',
  },
  join: { parameters: 'texts, separator?', doc: 'The texts as one, with the separator between them.' },
  keys: { parameters: 'object', doc: 'The names of the fields. Of a list of objects, each name once.' },
  length: { parameters: 'text', doc: 'How many characters the text has.' },
  lookup: { parameters: 'object, name', doc: 'The field of that name. Of a list of objects, the fields of all.' },
  lowercase: { parameters: 'text', doc: 'The text in small letters.' },
  map: { parameters: 'list, function', doc: 'What `function($item, $index, $list)` yields for each item.' },
  match: {
    parameters: 'text, pattern, limit?',
    doc: 'What the /pattern/ finds in the text: a list of `{match, index, groups}`.',
  },
  max: { parameters: 'numbers', doc: 'The largest of the numbers.' },
  merge: { parameters: 'objects', doc: 'One object with the fields of all. A later one wins.' },
  min: { parameters: 'numbers', doc: 'The smallest of the numbers.' },
  not: { parameters: 'value', doc: 'True for what counts as false, and false for what counts as true.' },
  number: { parameters: 'value', doc: 'The number that a text writes; 1 for true, 0 for false.' },
  pad: {
    parameters: 'text, width, character?',
    doc: 'The text filled up to a width: at its end, or at its start for a negative width.',
  },
  parseInteger: { parameters: 'text, picture', doc: 'The whole number that a text of the picture writes.' },
  power: { parameters: 'base, exponent', doc: 'The base to the power of the exponent.' },
  reduce: {
    parameters: 'list, function, first?',
    doc: 'One value of all items: `function($result, $item)` is called with each in turn.',
  },
  replace: {
    parameters: 'text, pattern, replacement, limit?',
    doc: 'The text with the replacement for each match. In it, `$1` is the first group of a /pattern/.',
  },
  reverse: { parameters: 'list', doc: 'The items, the last first.' },
  round: {
    parameters: 'number, digits?',
    doc: 'The number, rounded to so many decimals; a half goes to the even neighbour. Defaults to 0.',
  },
  sift: { parameters: 'object, function?', doc: 'The fields for which `function($value, $name)` yields true.' },
  single: {
    parameters: 'list, function?',
    doc: 'The only item for which the function yields true. Fails when there is none, or more than one.',
  },
  sort: {
    parameters: 'list, function?',
    doc: 'The items in order. `function($left, $right)` yields true when they have to change places.',
  },
  split: {
    parameters: 'text, separator, limit?',
    doc: 'The parts of the text between separators: a text, or what a /pattern/ matches.',
  },
  spread: { parameters: 'object', doc: 'A list of objects with one field each.' },
  sqrt: { parameters: 'number', doc: 'The square root.' },
  string: { parameters: 'value, indented?', doc: 'The value as text: a text as it is, anything else as JSON.' },
  substring: {
    parameters: 'text, start, length?',
    doc: 'The characters from a position on, counted from 0; a negative one counts from the end.',
  },
  substringAfter: { parameters: 'text, mark', doc: 'What stands behind the mark, or all of it when there is none.' },
  substringBefore: { parameters: 'text, mark', doc: 'What stands before the mark, or all of it when there is none.' },
  sum: { parameters: 'numbers', doc: 'The sum of the numbers.' },
  toMillis: {
    parameters: 'text, picture?',
    doc: 'The milliseconds since 1970 of a time that is written in ISO 8601, or as the picture says.',
  },
  trim: {
    parameters: 'text',
    doc: 'The text without white space around it, and with one space for each stretch of white space in it.',
  },
  type: {
    parameters: 'value',
    doc: 'The type by its name: `"string"`, `"number"`, `"boolean"`, `"array"`, `"object"`, `"null"`, `"function"`.',
  },
  uppercase: { parameters: 'text', doc: 'The text in capitals.' },
  zip: {
    parameters: 'lists…',
    doc: 'Lists of the first items, of the second items and so on, as long as the shortest list.',
  },
}
