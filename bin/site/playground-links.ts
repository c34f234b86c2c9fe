import { dirname, relative } from 'node:path'
import { exampleFragment, toFragment } from '../../src/rolebook/playground/share-link.ts'
import type { PageProject } from './page-projects.ts'
import { recipesIn, withSample } from './recipes.ts'
import type { StagedPage } from './stage-pages.ts'
import { tutorialProjects } from './tutorial-projects.ts'

/** The folder of the playground on the website. `playground` is the page about it: a web server could take one for the other. */
export const PLAYGROUND = 'play'

const OPEN = 'Open in the playground'

/** The pages, with links to the playground where they show a project. */
export function withPlaygroundLinks(pages: readonly StagedPage[]): Promise<readonly StagedPage[]> {
  return Promise.all(pages.map(async (page) => ({ ...page, text: await linked(page) })))
}

async function linked({ source, target, text }: StagedPage): Promise<string> {
  const openIn = (title: string, fragment: string): string => inPlace(title, anchor(target, OPEN, fragment))
  const [, example] = /^examples\/([\w-]+)\/README\.md$/.exec(source) ?? []
  if (example !== undefined) return afterFirstParagraph(text, openIn(example, exampleFragment(example)))
  if (source === 'README.md' || source === 'docs/playground.md')
    return beforeFirstSection(text, anchor(target, 'Open the playground'))
  const projects = projectsOf(source)
  const links = projects.map(async ({ title, files }) => [title, openIn(title, await toFragment(files))] as const)
  return withSectionLinks(text, new Map(await Promise.all(links)))
}

/** The projects that sections of a page show as a whole. */
function projectsOf(source: string): readonly PageProject[] {
  if (source === 'docs/cookbook.md') return recipesIn(source).map(withSample)
  return source === 'docs/tutorial.md' ? tutorialProjects(source) : []
}

function afterFirstParagraph(text: string, line: string): string {
  const [title, first, ...others] = text.split('\n\n')
  return [title, first, line, ...others].join('\n\n')
}

function beforeFirstSection(text: string, line: string): string {
  return text.replace(/^## /m, `${line}\n\n## `)
}

/** A link at the end of each section that has one. */
function withSectionLinks(text: string, links: ReadonlyMap<string, string>): string {
  const sections = text.split(/^(?=## )/m).map((section) => {
    const line = links.get(/^## (.*)\n/.exec(section)?.[1] ?? '')
    return line === undefined ? section : `${section.trimEnd()}\n\n${line}\n\n`
  })
  return sections.join('')
}

/** In HTML, and relative, so that VitePress leaves it alone: the playground is none of its pages. */
function anchor(target: string, label: string, fragment?: string): string {
  const path = `${relative(dirname(target), PLAYGROUND)}/`
  const address = fragment === undefined ? path : `${path}#${fragment}`
  return `<a href="${address}" target="_self">${label}</a>`
}

/** With a button that opens what a link leads to on the page itself: `docs/site/.vitepress/theme`. */
function inPlace(title: string, link: string): string {
  const plain = title.replaceAll('`', '').replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<OpenInPlace title="${plain}">${link}</OpenInPlace>`
}
