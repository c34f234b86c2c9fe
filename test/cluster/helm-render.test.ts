import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { HelmRenderer } from '../../src/engine/chart/helm-renderer.ts'
import { sortProblems } from '../../src/engine/chart/sort-problems.ts'
import { buildClient, missingForClients } from '../control-plane/clients.ts'
import { chartCases, RECORDED, SLOW_CHARTS } from '../engine/chart/charts.ts'
import { helmTemplate, type Templated } from '../engine/chart/helm-template.ts'
import { knownFunctions } from '../engine/chart/known-functions.ts'
import { knownVersions } from '../engine/chart/known-versions.ts'
import { newRenderer, templated } from '../engine/chart/renderer.ts'

const recorded = <T>(name: string): T => JSON.parse(readFileSync(join(RECORDED, `${name}.json`), 'utf8'))
const inOrder = ({ documents, error }: Templated): Templated =>
  error === undefined ? { documents } : { error: sortProblems(error) }

/** `test/engine/chart/agreement.test.ts` holds our renderer to the recordings; this holds the recordings to Helm. */
describe('what is recorded of `helm template`', function () {
  this.timeout(600_000)
  let helm = ''
  let renderer: HelmRenderer
  before(function () {
    if (missingForClients() !== undefined) this.skip() // without Go there is no helm to compare with
    helm = buildClient('helm')
    renderer = newRenderer()
  })
  after(() => renderer?.stop())

  for (const each of chartCases()) {
    it(`is what it makes of ${each.name}`, () =>
      expect(inOrder(helmTemplate(helm, each))).to.deep.equal(inOrder(recorded(each.name))))
  }

  for (const each of chartCases(SLOW_CHARTS)) {
    it(`is what is rendered, too, where it takes seconds: ${each.name}`, async () =>
      expect(await templated(renderer, each, recorded('api-versions'))).to.deep.equal(helmTemplate(helm, each)))
  }

  it('holds the functions that templates have', () => expect(knownFunctions()).to.deep.equal(recorded('functions')))

  it('holds the versions that it takes for served', () =>
    expect(knownVersions(helm)).to.deep.equal(recorded('api-versions')))
})
