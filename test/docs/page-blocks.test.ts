import { existsSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { blocksOf, blocksToRun, commandsOf, isRun, NOT_RUN, PAGES, RUN_AS_A_WHOLE } from './page-blocks.ts'

const all = PAGES.flatMap((page) => blocksOf(page))

describe('the commands of the pages', () => {
  it('are run where it is said that they are', () => {
    for (const [page, test] of Object.entries(RUN_AS_A_WHOLE)) expect(readFileSync(test, 'utf8'), test).to.include(page)
    const staged = PAGES.flatMap(blocksToRun)
    expect(staged.length).to.be.greaterThan(30)
  })

  it('are left out for a reason that holds for one of them, and names tests that are there', () => {
    const commands = all.flatMap(commandsOf)
    for (const { command, reason } of NOT_RUN) {
      expect(
        commands.some((one) => command.test(one)),
        String(command),
      ).to.equal(true)
      for (const [path] of reason.matchAll(/test\/[\w/.-]*\w/g)) expect(existsSync(path), path).to.equal(true)
    }
  })

  it('are run unless something excuses them', () => {
    const [block] = blocksOf(
      'docs/new.md',
      'Text.\n\n   ```console\n   $ rolebook check   # all\n   0 errors\n   ```\n',
    )
    expect(block).to.include({ line: 3, language: 'console' })
    expect(block && commandsOf(block).filter(isRun)).to.deep.equal(['rolebook check'])
  })

  it('stand in blocks that say so', () => {
    const unmarked = all.filter(({ language, text }) => language === '' && /^(?:\$ |npx |kubectl |npm )/m.test(text))
    expect(unmarked.map(({ page, line }) => `${page}:${line}`)).to.deep.equal([])
  })
})
