import { expect } from 'chai'
import { chooseMistakes } from './choose-mistakes.ts'
import { ProjectCopy } from './find-mistake.ts'
import { MISTAKES, mistakesIn } from './role-mistakes.ts'

/** The short form of `npm run proof:mistakes`. */
describe('mistakes made in a shipped role', function () {
  this.timeout(60_000)
  let copy: ProjectCopy

  before(() => {
    copy = new ProjectCopy('.')
  })
  after(() => {
    copy.remove()
  })

  it('are none in the role as it is', async () => {
    const { source } = copy.role('maintpage')
    expect(await copy.findMistake('maintpage', source.text)).to.equal('neither')
  })

  it('are of every kind', () => {
    const kinds = new Set(mistakesIn(copy.role('maintpage')).map(({ mistake }) => mistake))
    expect(MISTAKES.filter((kind) => !kinds.has(kind))).to.deep.equal(['removed when'])
  })

  it('are found by the checks or by a test of the role', async () => {
    for (const { text, before: line, after: edited } of chooseMistakes(mistakesIn(copy.role('maintpage')), 8, 1))
      expect(await copy.findMistake('maintpage', text), `${line} → ${edited}`).not.to.equal('neither')
  })

  it('are found by a test when only what the role does shows them', async () => {
    const { text } = copy.role('maintpage').source
    const swapped = text.replace('$maintained ? metadata.name : $app', '$maintained ? $app : metadata.name')
    expect(await copy.findMistake('maintpage', swapped)).to.equal('test')
  })
})
