import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { KSTATUS_DIFFERENCES, verdictOn } from './kstatus-differences.ts'

const WORDS = { ready: 'ready', notReady: 'not ready', failed: 'failed', error: 'error' }
const page = readFileSync(join(import.meta.dirname, '../../../docs/readiness.md'), 'utf8')

describe('where readiness is not that of kstatus', () => {
  for (const { name, ours, example } of KSTATUS_DIFFERENCES) {
    it(name, () => expect(verdictOn(example)).to.equal(ours))
  }

  it('stands in the docs, with a reason, and nothing else does', () => {
    const rows = page.slice(page.indexOf('| Object | kstatus |')).split('\n').slice(2)
    const explained = rows.filter((row) => row.startsWith('|')).map((row) => row.split('|').map((cell) => cell.trim()))
    expect(explained.map((cells) => cells.slice(1, 4))).to.deep.equal(
      KSTATUS_DIFFERENCES.map(({ name, kstatus, ours }) => [
        name,
        kstatus.map((verdict) => WORDS[verdict]).join(' or '),
        WORDS[ours],
      ]),
    )
    for (const [, name, , , reason] of explained) expect(reason, name).to.match(/\.$/)
  })
})
