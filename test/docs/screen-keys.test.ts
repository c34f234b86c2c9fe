import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { BINDINGS } from '../../src/rolebook/cli/live-view/reduce-screen.ts'

const ROW = /^\| (`[^|]+`) \| ([^|]+) \|$/gm

describe('the keys of the live screen', () => {
  it('are those of docs/sandbox.md', () => {
    const [, section = ''] = readFileSync('docs/sandbox.md', 'utf8').split(/^## The screen$/m)
    const [table = ''] = section.split(/^## /m)
    const rows = [...table.matchAll(ROW)].map(([, keys = '', does]) => [keys.replaceAll('`', ''), does])
    expect(rows).to.deep.equal(BINDINGS.map(({ shown, does }) => [shown, does]))
  })

  it('have one meaning each in the list, and in what is opened', () => {
    for (const place of ['list', 'page']) {
      const names = BINDINGS.filter(({ where }) => where === place || where === 'everywhere').flatMap(
        ({ names }) => names,
      )
      expect(names.filter((name, index) => names.indexOf(name) !== index)).to.deep.equal([])
    }
  })
})
