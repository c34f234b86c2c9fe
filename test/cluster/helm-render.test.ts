import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { sortProblems } from '../../src/chart/sort-problems.ts'
import { chartCases, RECORDED } from '../chart/charts.ts'
import { helmTemplate, type Templated } from '../chart/helm-template.ts'
import { knownVersions } from '../chart/known-versions.ts'
import { buildClient, missingForClients } from '../control-plane/clients.ts'

const recorded = <T>(name: string): T => JSON.parse(readFileSync(join(RECORDED, `${name}.json`), 'utf8'))
const inOrder = ({ documents, error }: Templated): Templated =>
  error === undefined ? { documents } : { error: sortProblems(error) }

/** `test/chart/agreement.test.ts` holds our renderer to the recordings; this holds the recordings to Helm. */
describe('what is recorded of `helm template`', function () {
  this.timeout(600_000)
  let helm = ''
  before(function () {
    if (missingForClients() !== undefined) this.skip() // without Go there is no helm to compare with
    helm = buildClient('helm')
  })

  for (const each of chartCases()) {
    it(`is what it makes of ${each.name}`, () =>
      expect(inOrder(helmTemplate(helm, each))).to.deep.equal(inOrder(recorded(each.name))))
  }

  it('holds the versions that it takes for served', () =>
    expect(knownVersions(helm)).to.deep.equal(recorded('api-versions')))
})
