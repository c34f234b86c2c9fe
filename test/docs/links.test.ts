import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'

const PAGES = globSync(['*.md', 'src/*.md', 'test/rolebook/broken/README.md', '{docs,examples,.github}/**/*.md'], {
  exclude: ['docs/site/node_modules/**'],
})
const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g

/** Links to files and headings; of those elsewhere, no test may ask. */
function linksIn(page: string): readonly string[] {
  const links = [...proseOf(page).matchAll(LINK)].map(([, target = '']) => target)
  return links.filter((target) => !/^[a-z]+:/.test(target))
}

/** Without code, in which brackets and parentheses are no links. */
function proseOf(page: string): string {
  return page.replace(/^```[\s\S]*?^```/gm, '').replace(/``.*?``|`[^`\n]*`/g, '')
}

/** The names by which a page can be linked to, as GitHub makes them of its headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  const headings = page.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)
  for (const [, heading = ''] of headings) {
    const name = heading
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    const count = [...anchors].filter((one) => one === name || one.replace(/-\d+$/, '') === name).length
    anchors.add(count === 0 ? name : `${name}-${count}`)
  }
  return anchors
}

/** Why a link of a page leads nowhere. */
function faultOf(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : join(dirname(page), decodeURIComponent(path))
  if (!existsSync(target)) return `${page}: there is no ${target}`
  if (anchor === undefined || statSync(target).isDirectory()) return undefined
  return anchorsOf(readFileSync(target, 'utf8')).has(anchor)
    ? undefined
    : `${page}: ${target} has no heading #${anchor}`
}

describe('the links of the pages', () => {
  it('lead to files and headings that exist', () => {
    const links = PAGES.flatMap((page) => linksIn(readFileSync(page, 'utf8')).map((link) => ({ page, link })))
    expect(links.length).to.be.greaterThan(100)
    expect([...new Set(links.flatMap(({ page, link }) => faultOf(page, link) ?? []))]).to.deep.equal([])
  })

  const cases = [
    { name: 'a file that does not exist', link: 'docs/none.md', fault: 'README.md: there is no docs/none.md' },
    {
      name: 'a heading that does not exist',
      link: 'SECURITY.md#none',
      fault: 'README.md: SECURITY.md has no heading #none',
    },
    { name: 'a heading of the page', link: '#install', fault: undefined },
    { name: 'a heading of another page', link: 'SECURITY.md#what-is-trusted', fault: undefined },
    { name: 'a folder', link: 'docs/reference/', fault: undefined },
  ]
  for (const { name, link, fault } of cases) {
    it(`are judged: ${name}`, () => expect(faultOf('README.md', link)).to.equal(fault))
  }

  it('are not looked for in code', () => {
    expect(linksIn('[a](b.md) `[c](d.md)`\n```js\n[e](f.md)\n```\n[g](https://h.i)')).to.deep.equal(['b.md'])
  })
})
