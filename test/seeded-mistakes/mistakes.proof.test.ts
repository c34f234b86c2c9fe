import { expect } from 'chai'
import { chooseMistakes } from './choose-mistakes.ts'
import { ProjectCopy } from './find-mistake.ts'
import { type ManifestCounts, type OwnCounts, weaknessesOfManifests, weaknessesOfOwn } from './judge-proof.ts'
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

describe('the proof of mistakes', () => {
  const own: readonly (readonly [name: string, counts: OwnCounts, isPart: boolean, says: readonly string[]])[] = [
    ['takes 95 of 100 that check finds', { check: 285, test: 10, neither: 5 }, false, []],
    [
      'does not count what a test alone finds',
      { check: 284, test: 16, neither: 0 },
      false,
      ['check finds 94.7 %, less than 95.0 %'],
    ],
    ['wants 300 mistakes', { check: 299, test: 0, neither: 0 }, false, ['299 mistakes are fewer than 300']],
    ['takes fewer of some roles alone', { check: 20, test: 0, neither: 0 }, true, []],
    ['takes none where no role is asked for', { check: 0, test: 0, neither: 0 }, true, []],
  ]
  for (const [name, counts, isPart, says] of own) {
    it(name, () => expect(weaknessesOfOwn(counts, isPart)).to.deep.equal(says))
  }

  const good: ManifestCounts = { made: 400, found: 380, roles: 60, falseAlarms: 0, lostCharts: 0 }
  const manifests: readonly (readonly [name: string, change: Partial<ManifestCounts>, says: readonly string[]])[] = [
    ['takes 60 correct roles without an alarm', {}, []],
    ['does not take 59', { roles: 59 }, ['59 roles without a mistake are fewer than 60']],
    ['does not take a false alarm', { falseAlarms: 1 }, ['1 alarms are false']],
    ['does not take a chart that is lost', { lostCharts: 2 }, ['2 charts cannot be rendered']],
    ['does not take 94 of 100 in manifests', { found: 376 }, ['check finds 94.0 %, less than 95.0 %']],
    ['wants 300 mistakes in manifests', { made: 299, found: 299 }, ['299 mistakes are fewer than 300']],
  ]
  for (const [name, change, says] of manifests) {
    it(name, () => expect(weaknessesOfManifests({ ...good, ...change })).to.deep.equal(says))
  }
})
