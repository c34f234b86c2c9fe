import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { mappingsOfCrd } from '../../../src/core/kube/crd-kinds.ts'

const NAMES = { kind: 'Widget', plural: 'widgets' }

describe('the kinds of a CRD', () => {
  it('are one for each version, with the subresources that it has', () => {
    const versions = [{ name: 'v1', subresources: { status: {}, scale: {} } }, { name: 'v2' }]
    const spec = { group: 'example.com', scope: 'Namespaced', names: NAMES, versions }
    expect(mappingsOfCrd({ spec })).to.deep.equal(
      [
        { version: 'v1', subresources: ['status', 'scale'] },
        { version: 'v2', subresources: [] },
      ].map(({ version, subresources }) => ({
        gvk: { group: 'example.com', version, kind: 'Widget' },
        plural: 'widgets',
        namespaced: true,
        subresources,
        verbs: [],
      })),
    )
  })

  const unfinished: readonly { readonly name: string; readonly crd: JsonObject; readonly kinds: readonly string[] }[] =
    [
      { name: 'no spec', crd: {}, kinds: [] },
      { name: 'no versions', crd: { spec: { group: 'example.com', names: NAMES } }, kinds: [] },
      {
        name: 'no names',
        crd: { spec: { group: 'example.com', versions: [{ name: 'v1' }] } },
        kinds: ['example.com/v1 undefined'],
      },
    ]
  for (const { name, crd, kinds } of unfinished) {
    it(`are those that it names while it has ${name} yet`, () =>
      expect(mappingsOfCrd(crd).map(({ gvk }) => `${gvk.group}/${gvk.version} ${gvk.kind}`)).to.deep.equal(kinds))
  }
})
