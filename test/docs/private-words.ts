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
