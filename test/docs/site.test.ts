import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { shippedProjects } from '../../bin/shipped-projects.ts'
import { navigation, parseVersions } from '../../bin/site/navigation.ts'
import { PLAYGROUND, withPlaygroundLinks } from '../../bin/site/playground-links.ts'
import { recipesIn } from '../../bin/site/recipes.ts'
import { sideBar } from '../../bin/site/side-bar.ts'
import { imagesOf, type StagedPage, stagePages } from '../../bin/site/stage-pages.ts'
import { exampleOf, fromFragment } from '../../src/rolebook/playground/share-link.ts'

describe('the pages of the website', () => {
  const pages = stagePages()
  const textOf = (target: string, from = pages): string => from.find((page) => page.target === target)?.text ?? ''

  it('have links to pages as the website needs them', () => {
    expect(textOf('index.md')).to.include('[the cookbook](./cookbook.md)')
    expect(textOf('index.md')).to.include('[docs/reference/](./reference/index.md)')
    expect(textOf('tutorial.md')).to.include('[examples/](./examples/index.md)')
    expect(textOf('tutorial.md')).to.include('[rolebook in the folder](./index.md#install)')
  })

  it('have no links to files that are no pages, unless it is known where these are', () => {
    expect(textOf('operations.md')).to.include('| removed-entry |')
    const linked = stagePages({ sourceUrl: 'https://example.com/blob/main' })
    expect(textOf('operations.md', linked)).to.include(
      '[removed-entry](https://example.com/blob/main/test/engine/operator/without-role/removed-entry.test.ts)',
    )
  })

  it('leave code as it is', () => {
    const links = readFileSync('docs/library.md', 'utf8').match(/```js[\s\S]*?```/g)
    for (const code of links ?? []) expect(textOf('library.md')).to.include(code)
  })

  it('have their pictures with them', () =>
    expect([...imagesOf(pages)].sort()).to.deep.equal(globSync('docs/pictures/*').sort()))

  it('stand in the side bar, all of docs/', () => {
    const bar = JSON.stringify(sideBar(pages, readFileSync('README.md', 'utf8')))
    const targets = globSync('docs/*.md').map((path) => path.replace(/^docs|\.md$/g, ''))
    expect(targets.filter((link) => !bar.includes(`"${link}"`))).to.deep.equal([])
  })
})

describe('the links to the playground', () => {
  const LINK = /<a href="([^"#]*)(?:#([^"]*))?" target="_self">/g
  let pages: readonly StagedPage[]
  before(async () => {
    pages = await withPlaygroundLinks(stagePages())
  })

  /** Where the links of a page lead, and the fragments that they have. */
  function linksOf(target: string): readonly { readonly path: string; readonly fragment: string }[] {
    const { text = '' } = pages.find((page) => page.target === target) ?? {}
    return [...text.matchAll(LINK)].map(([, path = '', fragment = '']) => ({
      path: join('/', dirname(target), path),
      fragment,
    }))
  }

  it('stand on the first page, and on the page about it', () => {
    const expected = [{ path: `/${PLAYGROUND}/`, fragment: '' }]
    expect(linksOf('index.md')).to.deep.equal(expected)
    expect(linksOf('playground.md')).to.deep.equal(expected)
  })

  it('open each example that the playground has', () => {
    const names = shippedProjects().map(({ name }) => name)
    const examples = pages.flatMap(({ target }) => (/^examples\/.*\/index\.md$/.test(target) ? [target] : []))
    expect(examples.length).to.be.greaterThan(10)
    for (const target of examples) {
      const [{ path, fragment } = { path: '', fragment: '' }, ...others] = linksOf(target)
      expect(others).to.deep.equal([])
      expect(path).to.equal(`/${PLAYGROUND}/`)
      expect(exampleOf(fragment, names)).to.equal(target.split('/')[1])
    }
  })

  it('open each recipe, with something to look at', async () => {
    const links = linksOf('cookbook.md')
    const recipes = recipesIn('docs/cookbook.md')
    expect(links).to.have.length(recipes.length)
    for (const [index, { files, title }] of recipes.entries()) {
      const opened = await fromFragment(links[index]?.fragment ?? '')
      expect(opened, title).to.include(files)
      expect(opened, title).to.include.keys('roles/app/samples/app.yaml')
    }
  })

  it('open it on the page as well, where they are about a project', () => {
    const IN_PLACE = /^<OpenInPlace title="[^"`]+"><a href="[^"]*#[^"]*" target="_self">.*<\/a><\/OpenInPlace>$/gm
    for (const { target, text } of pages) {
      const ofProjects = linksOf(target).filter(({ fragment }) => fragment !== '')
      expect(text.match(IN_PLACE) ?? [], target).to.have.length(ofProjects.length)
    }
  })

  it('open the operators of the tutorial', async () => {
    const opened = await Promise.all(linksOf('tutorial.md').map(({ fragment }) => fromFragment(fragment)))
    const roles = opened.map((files) => Object.keys(files ?? {}).find((path) => path.endsWith('role.yaml')))
    expect(roles).to.deep.equal(['roles/shop/role.yaml', 'roles/redis/role.yaml'])
    expect(opened[0]).to.include.keys('roles/shop/tests/service.yaml', 'roles/shop/samples/shop.yaml')
  })
})

describe('the menu of versions', () => {
  it('has the changelog, and the other versions that are known', () => {
    const url = 'https://example.com/0.1.0/'
    const versions = parseVersions(`{"0.1.0": "${url}", "0.2.0": "https://example.com/0.2.0/"}`)
    expect(navigation('0.2.0', versions).at(-1)).to.deep.equal({
      text: '0.2.0',
      items: [
        { text: 'Changelog', link: '/CHANGELOG' },
        { text: '0.1.0', link: url },
      ],
    })
  })

  for (const text of ['', '[]', 'null', '{"0.1.0": 1}', '{"0.1.0": "0.1.0/"}', '{"0.1.0": "javascript:alert(1)"}']) {
    it(`is not made of ${JSON.stringify(text)}`, () => {
      expect(() => parseVersions(text)).to.throw(/^cannot read ROLEBOOK_VERSIONS: /)
    })
  }
})
