import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { brokenFiles, checkBroken, PLACE_NAMES, readExpected } from './check-broken.ts'

const files = brokenFiles()

describe('broken files', () => {
  for (const place of PLACE_NAMES) {
    describe(place, () => {
      for (const file of files.filter((one) => one.place === place)) {
        it(file.name, async () => {
          const text = await checkBroken(file)
          expect(text, `npm run broken:update writes what is told now to ${file.name}.txt`).to.equal(readExpected(file))
          expect(text, 'a broken file without a finding').to.match(/RB\d{4}/)
        })
      }
    })
  }

  it('have no expectation without a file', () => {
    for (const place of PLACE_NAMES) {
      const names = readdirSync(join(import.meta.dirname, place))
      const lonely = names.filter(
        (name) =>
          name.endsWith('.txt') &&
          !names.some((one) => one === name.replace('.txt', '') || one === name.replace('.txt', '.yaml')),
      )
      expect(lonely, place).to.deep.equal([])
    }
  })
})
