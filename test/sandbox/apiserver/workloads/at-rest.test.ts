import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { type Gvk, gvkOf } from '../../../../src/core/kube/group-version-kind.ts'
import { maskAtRest } from './mask.ts'
import { PATHS, SCENARIOS } from './scenarios.ts'
import { WorkloadServer } from './workload-server.ts'

function gvkOfKind(kind: keyof typeof PATHS): Gvk {
  const { base } = PATHS[kind]
  return gvkOf({ apiVersion: base.replace(/^\/apis?\//, ''), kind })
}

describe('workloads come to rest as those of a real control plane', () => {
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    const recorded = JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')) as JsonObject[]
    const server = new WorkloadServer()
    after(() => server.stop())
    scenario.steps.forEach((objects, index) => {
      it(`${name}, step ${index + 1}`, async () => {
        for (const object of objects) server.put(object)
        await server.rest()
        const kinds = scenario.kinds.map((kind) => [kind, server.listWithRows(gvkOfKind(kind))])
        expect(maskAtRest(Object.fromEntries(kinds))).to.deep.equal(recorded[index])
      })
    })
  }
})
