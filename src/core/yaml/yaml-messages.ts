/** What the library says of a text, and where. */
export interface LibraryMessage {
  readonly message: string
  /** The line up to the place, and what stands from there on. */
  readonly before: string
  readonly rest: string
}

export interface AuthorMessage {
  readonly message: string
  readonly hint: string
}

/** What is said of a mistake that has no words of its own. */
export const UNREAD: AuthorMessage = {
  message: 'this cannot be read as YAML',
  hint: 'look at the indents, quotes and brackets of this line and of the one above it',
}

/** The library speaks of its own grammar. An author knows lines, keys, items, texts, quotes and brackets. */
export function authorMessage(said: LibraryMessage): AuthorMessage {
  for (const [pattern, words] of MESSAGES) {
    const found = pattern.exec(said.message)
    if (found) return typeof words === 'function' ? words({ ...said, found: found.slice(1) }) : words
  }
  return UNREAD
}

type Words = AuthorMessage | ((said: LibraryMessage & { readonly found: readonly string[] }) => AuthorMessage)

const QUOTE_ALL = 'put the whole value in quotes'
const QUOTE_TEXT = 'put the text in quotes'

const NO_COLON: AuthorMessage = {
  message: 'a line without `:` stands where a key is wanted',
  hint: 'write it as `key: value`, or indent it further if it goes on with the text above',
}
const ITEM_AMONG_KEYS: AuthorMessage = {
  message: 'an item with `- ` stands among the keys of a map',
  hint: 'put a key with `:` above the list, or indent the item as the list that it belongs to',
}
const LIST_AND_KEY: AuthorMessage = {
  message: 'this line belongs neither to the list above it nor to a map',
  hint: 'begin an item with `- `, or put the list below a key with `:`',
}
const NO_COMMA: AuthorMessage = {
  message: 'a `,` is missing between two entries in brackets',
  hint: 'put a `,` behind each entry, and texts with `: ` in them in quotes',
}
const TEXT_IN_HEADER: AuthorMessage = {
  message: 'text stands behind `|` or `>`',
  hint: 'begin the text in the next line, indented further than its key',
}
const LONG_KEY: AuthorMessage = { message: 'a key is longer than 1024 characters', hint: 'shorten it' }
const SPACE_BEFORE_COMMENT: AuthorMessage = {
  message: 'a space is missing before a comment',
  hint: 'put a space before `#`, or the whole value in quotes if `#` is a part of it',
}
const EMPTY_NAME: AuthorMessage = {
  message: 'text cannot begin with `*` or `&` without quotes',
  hint: QUOTE_TEXT,
}
const MANY_NAMES: AuthorMessage = { message: 'a value has two anchors or two tags', hint: 'remove one of them' }
const TAG: AuthorMessage = {
  message: 'text that begins with `!` is a tag, and none is read here',
  hint: 'remove the tag, or put the text in quotes if `!` is a part of it',
}
const DOCUMENT_MARK: AuthorMessage = {
  message: '`---` and `...` stand in a line of their own',
  hint: 'put what stands beside the mark into another line, or remove the mark',
}

/** The messages of the library, each with the words for an author. */
const MESSAGES: readonly (readonly [RegExp, Words])[] = [
  [/^Implicit keys need to be on a single line$/, keyInLines],
  [/^Implicit map keys need to be followed by map values$/, keyInLines],
  [/^Implicit keys of flow sequence pairs need to be on a single line$/, NO_COMMA],
  [
    /^All mapping items must start at the same column$/,
    {
      message: 'this line begins at another column than the keys of its map',
      hint: 'indent all keys of a map alike',
    },
  ],
  [/^A block sequence may not be used as an implicit map key$/, ITEM_AMONG_KEYS],
  [
    /^Nested mappings are not allowed in compact mappings$/,
    {
      message: 'a value with `: ` in it needs quotes',
      hint: `${QUOTE_ALL}, or what stands before its \`:\` into a line of its own`,
    },
  ],
  [/^The : indicator must be at most 1024 chars/, LONG_KEY],
  [
    /^All sequence items must start at the same column$/,
    {
      message: 'this item begins at another column than the items of its list',
      hint: 'indent all items of a list alike',
    },
  ],
  [/^Sequence item without - indicator$/, LIST_AND_KEY],
  [
    /^Unexpected block-seq-ind on same line with key/,
    {
      message: 'a list begins in the line of its key',
      hint: 'put `- ` into the next line, or write the list as `[one, other]`',
    },
  ],
  [
    /^Block scalars with more-indented leading empty lines/,
    {
      message: 'a text begins with an empty line that has more spaces than the text',
      hint: 'remove the spaces of the empty line',
    },
  ],
  [
    /^Block scalar values in collections must be indented$/,
    {
      message: 'the text below `|` or `>` begins too far to the left',
      hint: 'indent it further than its key',
    },
  ],
  [
    /^Block scalar lines must not be less indented than/,
    {
      message: 'a line of the text below `|` or `>` begins further to the left than the first one',
      hint: 'indent it at least as far as the first line of the text',
    },
  ],
  [/^Block scalar header (?:not found|includes extra characters)/, TEXT_IN_HEADER],
  [/^Unexpected token in block scalar header/, TEXT_IN_HEADER],
  [/^Not a YAML token: /, ({ before }) => (/[|>][-+\d]* +$/.test(before) ? TEXT_IN_HEADER : UNREAD)],
  [/^Comments must be separated from other tokens/, SPACE_BEFORE_COMMENT],
  [/^Missing closing (['"])quote/, ({ found: [quote = ''] }) => notClosed(quote)],
  [
    /^Invalid escape sequence (.*)/s,
    ({ found: [written = ''] }) => ({
      message: `\`${written}\` is no character in double quotes`,
      hint: 'write `\\\\` for a backslash, or put the text in single quotes',
    }),
  ],
  [
    /^Plain value cannot start with .*(\S)$/,
    ({ found: [sign = ''] }) => ({
      message: `text cannot begin with \`${sign}\` without quotes`,
      hint: QUOTE_TEXT,
    }),
  ],
  [/^Unexpected (?:flow-(map|seq)-end) /, ({ found: [kind] }) => tooMuch(kind === 'map' ? '}' : ']')],
  [/^Unexpected .+ at node end$/, ({ before }) => (isBlank(before) ? LIST_AND_KEY : behindValue())],
  [
    /^Unexpected , in |^Unexpected empty item in /,
    {
      message: 'a value is missing before a `,`',
      hint: 'write one, or remove the `,`',
    },
  ],
  [/^Missing , (?:or : )?between /, NO_COMMA],
  [/^Missing space after : in /, { message: 'a space is missing behind `:`', hint: 'write `key: value`' }],
  [
    /^Block collections are not allowed within flow collections$/,
    ({ rest }) => (rest.startsWith('- ') ? itemInBrackets() : NO_COMMA),
  ],
  [
    /^Flow (map|sequence) (?:in block collection )?must /,
    ({ found: [kind] }) => openBracket(kind === 'map' ? '{}' : '[]'),
  ],
  [
    /^Flow end indicator should be more indented than parent$/,
    {
      message: 'a closing bracket begins too far to the left',
      hint: 'indent it further than the key of its value',
    },
  ],
  [/^Unexpected . in /, itemInBrackets],
  [/^(?:Anchor|Alias) cannot be an empty string$/, EMPTY_NAME],
  [
    /^(?:Anchor|Alias) ending in : is ambiguous$/,
    {
      message: 'a `:` stands at the end of the name of an anchor',
      hint: 'put a space before the `:`, or the text in quotes',
    },
  ],
  [
    /^An alias node must not specify any properties$/,
    {
      message: 'a `*name` has no anchor or tag of its own',
      hint: 'remove what stands before it',
    },
  ],
  [/^A node can have at most one (?:anchor|tag)$/, MANY_NAMES],
  [
    /^Tags and anchors must be separated from the next token/,
    {
      message: 'a space is missing behind a name with `&` or `!`',
      hint: 'put a space behind it, or the text in quotes',
    },
  ],
  [
    /^Anchors and tags must be after the . indicator$|^Missing newline after block sequence props$/,
    {
      message: 'a name with `&` or `!` stands before the value that it is of',
      hint: 'put it directly before the value, or in the line of the key',
    },
  ],
  [/tag| used for \w+ collection/i, TAG],
  [
    /^Tabs are not allowed as indentation$/,
    { message: 'a tab where YAML wants spaces', hint: 'use spaces, or quote the text' },
  ],
  [/(?:directives-end|doc-start|doc-end)/, DOCUMENT_MARK],
]

function isBlank(before: string): boolean {
  return /^\s*$/.test(before)
}

function keyInLines({ before, rest }: LibraryMessage): AuthorMessage {
  if (/^-(?:\s|$)/.test(rest)) return ITEM_AMONG_KEYS
  return /^\s*(?:- +)*$/.test(before) ? NO_COLON : NO_COMMA
}

function notClosed(quote: string): AuthorMessage {
  const within = quote === "'" ? "`''`" : '`\\"`'
  return {
    message: `a text that begins with \`${quote}\` has no end`,
    hint: `put \`${quote}\` behind it; within the text, the quote is written ${within}`,
  }
}

function behindValue(): AuthorMessage {
  return {
    message: 'something stands behind the end of a value',
    hint: `${QUOTE_ALL}, of the other kind if it has some`,
  }
}

function tooMuch(bracket: string): AuthorMessage {
  return { message: `there is no open bracket for this \`${bracket}\``, hint: `remove it, or ${QUOTE_ALL}` }
}

function openBracket(brackets: string): AuthorMessage {
  const [open, close] = [brackets.charAt(0), brackets.charAt(1)]
  return {
    message: `a \`${open}\` above has no \`${close}\``,
    hint: `put \`${close}\` behind the last entry, and indent all lines up to it further than the key`,
  }
}

function itemInBrackets(): AuthorMessage {
  return {
    message: 'an item with `- ` stands in brackets',
    hint: 'write the items as `[one, other]`, or without the brackets',
  }
}
