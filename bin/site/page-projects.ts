import { readFileSync } from 'node:fs'

/** What a section of a page shows of a project. */
export interface PageProject {
  /** The heading of the section. */
  readonly title: string
  /** The text of each file, by the path that its first line says. */
  readonly files: Readonly<Record<string, string>>
}

const SECTION = /^## (.*)\n([\s\S]*?)(?=^## |$(?![\s\S]))/gm
const CODE = /^```\w*\n([\s\S]*?)^```$/gm
const PATH = /^# ((?:[\w.-]+\/)*[\w.-]+\.\w+)\n/

/** The sections of a page that show files: blocks of code whose first line is `# path/of/the/file`. */
export function projectsIn(path: string): readonly PageProject[] {
  const sections = [...readFileSync(path, 'utf8').matchAll(SECTION)]
  return sections
    .map(([, title = '', text = '']) => ({ title, files: filesIn(text) }))
    .filter(({ files }) => Object.keys(files).length > 0)
}

/** The files of a text, each without the line that says its path. */
export function filesIn(text: string): Readonly<Record<string, string>> {
  const blocks = [...text.matchAll(CODE)].map(([, code = '']) => code)
  return Object.fromEntries(
    blocks.flatMap((code) => {
      const [line, file] = PATH.exec(code) ?? []
      return line === undefined || file === undefined ? [] : [[file, code.slice(line.length)]]
    }),
  )
}
