import type { StagedPage } from './stage-pages.ts'

export interface SideBarItem {
  readonly text: string
  readonly link?: string
  readonly collapsed?: boolean
  readonly items?: readonly SideBarItem[]
}

/** The pages of the README's table in its order, those of a folder below its index; then what the table does not name. */
export function sideBar(pages: readonly StagedPage[], readme: string): readonly SideBarItem[] {
  const table = readme.split('\n## Documentation\n')[1]?.split('\n## ')[0] ?? ''
  const rows = [...table.matchAll(/^\| \[docs\/[^\]]+\]\(docs\/([^)]+)\)/gm)].map(([, path = '']) => path)
  const named = rows.flatMap((path) => itemOf(path.replace(/README\.md$/, 'index.md'), pages) ?? [])
  const project = ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'].flatMap((path) => itemOf(path, pages) ?? [])
  const examples = itemOf('examples/index.md', pages)
  return [{ text: 'Documentation', items: named }, ...(examples ? [examples] : []), { text: 'Project', items: project }]
}

function itemOf(target: string, pages: readonly StagedPage[]): SideBarItem | undefined {
  const page = pages.find((one) => one.target === target)
  if (!page) return undefined
  const item = { text: titleOf(page), link: linkTo(target) }
  if (!target.endsWith('/index.md')) return item
  const folder = target.replace(/index\.md$/, '')
  const inner = pages.filter((one) => one.target.startsWith(folder) && one !== page)
  const items = inner.map((one) => ({ text: titleOf(one), link: linkTo(one.target) }))
  return items.length === 0 ? item : { ...item, collapsed: true, items }
}

/** The first heading, without marks. */
function titleOf({ text, target }: StagedPage): string {
  return (/^# (.*)$/m.exec(text)?.[1] ?? target).replaceAll('`', '')
}

function linkTo(target: string): string {
  return `/${target.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`
}
