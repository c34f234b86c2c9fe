import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { BuiltinSchemas } from '../../../../src/core/schema/builtin-schemas.ts'
import { builtinKinds } from '../../../../src/sandbox/apiserver/kinds/builtin-kinds.ts'
import { canonicalQuantity } from '../../../../src/sandbox/apiserver/kinds/common/quantity.ts'
import { checkSchedule } from '../../../../src/sandbox/apiserver/kinds/common/schedule.ts'
import { KindPipeline } from './kind-pipeline.ts'

const DATA = new URL('../../../../src/core/schema/builtin-schemas.generated.bin', import.meta.url)
const KINDS = builtinKinds(BuiltinSchemas.decode(readFileSync(DATA)))

/** Names that every object of JavaScript has: a table looked up carelessly finds them. */
const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']

describe('names that JavaScript knows', () => {
  for (const name of NAMES) {
    it(`"${name}" is a name like any other`, () => {
      const data = JSON.parse(`{"${name}": "YQ=="}`)
      const containers = [{ name: 'c', image: 'nginx', env: [{ name, value: 'x' }], resources: { limits: data } }]
      const objects: KubeObject[] = [
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: data }, data },
        { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, type: name, data, stringData: data },
        { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers, nodeSelector: data } },
        { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { type: name, selector: data } },
        JSON.parse(
          `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "${name}": {"polluted": true}}`,
        ),
      ]
      for (const object of objects) {
        const rules = KINDS.find(({ gvk }) => gvk.kind === object.kind && gvk.group === '')!
        const answer = new KindPipeline(rules, { namespaced: true }).answer({ name, create: object })
        expect('object' in answer || answer.code === 422 || answer.code === 400).to.equal(true)
      }
      expect(({} as { polluted?: boolean }).polluted).to.equal(undefined)
      expect(checkSchedule(name)).to.match(/^expected exactly 5 fields/)
    })
  }

  it('a priority class of such a name does not exist', () => {
    const spec = { priorityClassName: 'constructor', containers: [{ name: 'c', image: 'nginx' }] }
    const rules = KINDS.find(({ gvk }) => gvk.kind === 'Pod')!
    const create = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec }
    expect(new KindPipeline(rules, { namespaced: true }).answer({ name: '', create })).to.include({ code: 403 })
  })

  it('an amount of a million digits is none', () => {
    expect(canonicalQuantity('1'.repeat(1_000_000))).to.equal(undefined)
  })
})
