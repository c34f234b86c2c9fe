import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** A page of the repository, and where it stands on the website. */
export interface StagedPage {
  readonly source: string
  readonly target: string
  readonly text: string
}

export interface StagingOptions {
  /** Where files of the repository can be read that are no pages. Absent: there are no links to them. */
  readonly sourceUrl?: string | undefined
}

const PAGES = ['*.md', 'docs/**/*.md', 'examples/**/*.md']
const NOT_PAGES = ['docs/site/node_modules/**']
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g
/** Links are looked for in what is no code. */
const CODE = /^```[\s\S]*?^```$|``.*?``|`[^`\n]*`/gm

/** All pages of the repository, with links as the website needs them. */
export function stagePages({ sourceUrl }: StagingOptions = {}): readonly StagedPage[] {
  const sources = globSync(PAGES, { exclude: NOT_PAGES }).sort()
  const targets = new Map(sources.map((source) => [source, targetOf(source)]))
  return sources.map((source) => {
    const text = readFileSync(source, 'utf8')
    return { source, target: targetOf(source), text: outsideCode(text, (prose) => relinked(prose)) }

    function relinked(prose: string): string {
      return prose.replace(LINK, (whole, image: string, label: string, link: string) => {
        if (/^[a-z]+:|^#/.test(link)) return whole
        const [path = '', anchor] = link.split('#')
        const file = fileOf(join(dirname(source), path))
        const target = targets.get(file)
        if (target !== undefined) return `${image}[${label}](${linkBetween(targetOf(source), target, anchor)})`
        if (image !== '') return `![${label}](/${file})`
        return sourceUrl === undefined ? label : `[${label}](${sourceUrl}/${file})`
      })
    }
  })
}

/** Images that the pages show, by their paths in the repository. */
export function imagesOf(pages: readonly StagedPage[]): readonly string[] {
  const images = pages.flatMap(({ text }) =>
    [...text.matchAll(/!\[[^\]]*\]\(\/([^)]+)\)/g)].map(([, path = '']) => path),
  )
  return [...new Set(images)]
}

/** `docs/` is the root; the README of a folder is its index. */
function targetOf(source: string): string {
  return source.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md')
}

/** A link to a folder means its README. */
function fileOf(path: string): string {
  const plain = path.replace(/\/$/, '')
  const readme = join(plain, 'README.md')
  const isFolder = existsSync(plain) && statSync(plain).isDirectory()
  return isFolder && existsSync(readme) ? readme : plain
}

function linkBetween(from: string, to: string, anchor: string | undefined): string {
  const path = relative(dirname(from), to)
  return `${path.startsWith('.') ? path : `./${path}`}${anchor === undefined ? '' : `#${anchor}`}`
}

/** A text with its prose changed and its code as it is. Code within a link belongs to the link. */
function outsideCode(text: string, change: (prose: string) => string): string {
  const code: string[] = []
  const masked = text.replace(CODE, (piece) => `${MASK}${code.push(piece) - 1}${MASK}`)
  return change(masked).replace(MASKED, (_all, index: string) => code[Number(index)] ?? '')
}

/** A letter for private use, which no page has. */
const MASK = '\ue000'
const MASKED = /\ue000(\d+)\ue000/g
