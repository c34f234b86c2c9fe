import { globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'

const MOST_BYTES = 150_000
const pages = ['README.md', ...globSync('docs/*.md')]

/** The pictures of all pages, with what is said of them to those who do not see them. */
const shown = pages.flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, text = '', path = '']) => ({
    text,
    path: join(dirname(page), path),
  })),
)

describe('the pictures of the pages', () => {
  for (const path of globSync('docs/pictures/*')) {
    it(`are small, and are shown with a description: ${path}`, () => {
      expect(statSync(path).size).to.be.below(MOST_BYTES)
      const texts = shown.filter((one) => one.path === path).map(({ text }) => text)
      expect(texts).to.have.length(1)
      // A name is no description.
      expect(texts[0]?.split(' ').length).to.be.greaterThan(8)
    })
  }

  it('are not in the package, whose size is limited', () => {
    const { files } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(files).to.deep.equal(['bin/rolebook.cjs', 'dist'])
  })
})
