import { globSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { sideBar } from '../../bin/site/side-bar.ts'
import { imagesOf, stagePages } from '../../bin/site/stage-pages.ts'

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
      '[removed-entry](https://example.com/blob/main/test/engine/operator/removed-entry.test.ts)',
    )
  })

  it('leave code as it is', () => {
    const links = readFileSync('docs/library.md', 'utf8').match(/```js[\s\S]*?```/g)
    for (const code of links ?? []) expect(textOf('library.md')).to.include(code)
  })

  it('have their pictures with them', () => expect(imagesOf(pages)).to.deep.equal(['docs/pictures/edit-a-role.svg']))

  it('stand in the side bar, all of docs/', () => {
    const bar = JSON.stringify(sideBar(pages, readFileSync('README.md', 'utf8')))
    const targets = globSync('docs/*.md').map((path) => path.replace(/^docs|\.md$/g, ''))
    expect(targets.filter((link) => !bar.includes(`"${link}"`))).to.deep.equal([])
  })
})
