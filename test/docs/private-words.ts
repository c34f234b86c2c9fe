import type { SourceText } from '../architecture/source-tree.ts'

/** A word that the code must not use, in parts (`make`, `way`). `folder` limits it to folders of that name. */
export interface PrivateWord {
  readonly parts: readonly string[]
  readonly folder?: string | undefined
}

export interface Term {
  readonly name: string
  readonly not: readonly PrivateWord[]
}

const ROW = /^\| (?!Term|Name|---|`)([^|]+) \| [^|]+ \| [^|]+ \|([^|]*)\|$/gm
const WORD = /`([a-z ]+)`(?: in `([a-z-]+)\/`)?/g

/** The rows of the glossary's tables of terms. */
export function termsIn(page: string): readonly Term[] {
  return [...page.matchAll(ROW)].map(([, name = '', not = '']) => ({
    name,
    not: [...not.matchAll(WORD)].map(([, word = '', folder]) => ({ parts: word.split(' '), folder })),
  }))
}

/** Comments, texts and regular expressions; of a template, all but the expressions in it. */
const NO_CODE =
  /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?<=[=(,:[!&|?{}]\s*|\breturn\s)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*|`(?:\\.|\$\{(?:[^{}`]|\{[^{}]*\}|`[^`]*`)*\}|[^`\\])*`/g

/** The names in a source, each in the parts of its camel case: `wakeAll` is `wake`, `all`. */
export function namesIn(text: string): readonly (readonly string[])[] {
  const code = text.replace(NO_CODE, (match) => (match.startsWith('`') ? expressionsIn(match) : ' '))
  return [...new Set(code.match(/[A-Za-z_$][\w$]*/g))].map(partsOf)
}

function expressionsIn(template: string): string {
  return [...template.matchAll(/\$\{((?:[^{}`]|\{[^{}]*\})*)\}/g)].map((match) => match[1]).join(' ; ')
}

function partsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((part) => part.toLowerCase())
}

/** Files and identifiers that use one of the words, as `file: name`. */
export function privateWordFaults(sources: readonly SourceText[], words: readonly PrivateWord[]): readonly string[] {
  return sources.flatMap(({ path, text }) => {
    const here = words.filter(({ folder }) => folder === undefined || path.split('/').includes(folder))
    const paths = path.replace(/\.ts$/, '').split('/').map(partsOf)
    return [...paths, ...namesIn(text)]
      .filter((name) => here.some(({ parts }) => holds(name, parts)))
      .map((name) => `${path}: ${name.join('-')}`)
  })
}

function holds(name: readonly string[], parts: readonly string[]): boolean {
  return name.some((_part, at) => parts.every((part, index) => name[at + index] === part))
}

const TEXT_WORD = /^\| `([a-z]+)` \| (?!Term)[^|]+ \|$/gm

/** The words of the glossary's table that must not stand in texts. */
export function textWordsIn(page: string): readonly string[] {
  const section = page.slice(page.indexOf('## Words of texts')).replace(/\n## (?!Words of texts)[\s\S]*/, '')
  return [...section.matchAll(TEXT_WORD)].map(([, word = '']) => word)
}

const COMMENT = /^\s*(?:\/\*\*|\*|\/\/).*|\s\/\/ .*/gm
const TITLE = /\b(?:describe|it)\(\s*(?:'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)/g
/** Code on a page or in a comment; where it names a test, the title is judged in its own file. */
const QUOTED = /```[\s\S]*?```|`[^`\n]*`/g

/** Texts that use one of the words, as `file: text`: comments and titles of code, and pages without what they quote. */
export function textWordFaults(sources: readonly SourceText[], words: readonly string[]): readonly string[] {
  const word = new RegExp(`\\b(?:${words.join('|')})\\b`, 'i')
  return sources.flatMap(({ path, text }) =>
    textsOf(path, text)
      .filter((one) => word.test(one))
      .map((one) => `${path}: ${one.trim()}`),
  )
}

function textsOf(path: string, text: string): readonly string[] {
  if (path.endsWith('.md')) return text.replace(QUOTED, '').split('\n')
  const comments = [...text.matchAll(COMMENT)].map(([comment]) => comment.replace(QUOTED, ''))
  return [...comments, ...[...text.matchAll(TITLE)].map(([title]) => title)]
}
