import { expect } from 'chai'
import { nearestName } from '../../src/expression/nearest-name.ts'

const cases: readonly { name: string; candidates: readonly string[]; nearest: string | undefined }[] = [
  { name: 'lables', candidates: ['labels', 'name'], nearest: 'labels' },
  { name: 'dnsname', candidates: ['dnsName'], nearest: 'dnsName' },
  { name: 'sepc', candidates: ['spec', 'status'], nearest: 'spec' },
  { name: 'x', candidates: ['y', 'long'], nearest: 'y' },
  { name: 'entirely', candidates: ['different', 'words'], nearest: undefined },
  { name: 'a', candidates: [], nearest: undefined },
]

describe('nearestName', () => {
  for (const { name, candidates, nearest } of cases) {
    it(`is ${nearest} for ${name} among ${candidates.join(', ')}`, () => {
      expect(nearestName(name, candidates)).to.equal(nearest)
    })
  }
})
