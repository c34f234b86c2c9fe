import { dirname, relative } from 'node:path'
import { exampleFragment, toFragment } from '../../src/rolebook/playground/share-link.ts'
import type { PageProject } from './page-projects.ts'
import { recipesIn, withSample } from './recipes.ts'
import type { StagedPage } from './stage-pages.ts'
import { tutorialProjects } from './tutorial-projects.ts'

/** The folder of the playground on the website. `playground` is the page about it: a web server could take one for the other. */
export const PLAYGROUND = 'play'

/** The pages, with links to the playground where they show a project. */
export function withPlaygroundLinks(pages: readonly StagedPage[]): Promise<readonly StagedPage[]> {
  return Promise.all(pages.map(async (page) => ({ ...page, text: await linked(page) })))
}

async function linked({ source, target, text }: StagedPage): Promise<string> {
  const linkTo = (label: string, fragment?: string): string => anchor(target, label, fragment)
  const [, example] = /^examples\/([\w-]+)\/README\.md$/.exec(source) ?? []
  if (example !== undefined)
    return afterFirstParagraph(text, linkTo('Open in the playground', exampleFragment(example)))
  if (source === 'README.md' || source === 'docs/playground.md')
    return beforeFirstSection(text, linkTo('Open the playground'))
  const projects = projectsOf(source)
  const links = projects.map(async ({ title, files }) => {
    return [title, linkTo('Open in the playground', await toFragment(files))] as const
  })
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
