import { expect } from 'chai'
import { type JsonObject, printPath } from '../../../../src/core/base/json.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../../../src/core/kube/object.ts'
import { type HeldFields, keptFields, sharedFields } from '../../../../src/engine/reconcile/apply/managed-fields.ts'
import { parseFieldPath } from '../../../../src/engine/role/field-path.ts'

const PORT = 'k:{"containerPort":80,"protocol":"TCP"}'

function object(entries: Readonly<Record<string, JsonObject>>): KubeObject {
  const managedFields = Object.entries(entries).map(([manager, fieldsV1]): ManagedFieldsEntry => {
    const operation = manager === 'rolebook' ? 'Apply' : 'Update'
    return { manager, operation, apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 }
  })
  const ports = [{ containerPort: 81 }, { containerPort: 80, protocol: 'TCP', name: 'http' }]
  const metadata = { name: 'o', finalizers: ['x', 'y'], managedFields }
  return { apiVersion: 'v1', kind: 'O', metadata, spec: { a: 1, b: { c: 2, d: 3 }, ports } }
}

const printed = (held: readonly HeldFields[]): readonly string[] =>
  held.map(({ manager, paths }) => `${manager}: ${paths.map(printPath).join(' ')}`)

describe('fields that others hold', () => {
  const cases = [
    {
      name: 'as we do',
      entries: {
        rolebook: { 'f:spec': { 'f:a': {}, 'f:b': { 'f:c': {} } } },
        helm: { 'f:spec': { 'f:a': {}, 'f:b': { 'f:c': {}, 'f:d': {} } } },
      },
      held: ['helm: spec.a spec.b.c'],
    },
    {
      name: 'as a whole, whose parts are not named',
      entries: {
        rolebook: { 'f:spec': { 'f:ports': { [PORT]: { '.': {}, 'f:name': {} } } } },
        helm: { 'f:spec': { 'f:ports': { [PORT]: { '.': {}, 'f:name': {} } } } },
      },
      held: ['helm: spec.ports[1]'],
    },
    {
      name: 'in an item of ours',
      entries: {
        rolebook: { 'f:spec': { 'f:ports': { [PORT]: { '.': {}, 'f:name': {} } } } },
        helm: { 'f:spec': { 'f:ports': { [PORT]: { 'f:name': {} } } } },
      },
      held: ['helm: spec.ports[1].name'],
    },
    {
      name: 'as an item of a set, whose value is not shown',
      entries: {
        rolebook: { 'f:metadata': { 'f:finalizers': { 'v:"y"': {} } } },
        helm: { 'f:metadata': { 'f:finalizers': { 'v:"y"': {}, 'v:"x"': {} } } },
      },
      held: ['helm: metadata.finalizers[1]'],
    },
    {
      name: 'that are not there any more, which are none',
      entries: {
        rolebook: { 'f:spec': { 'f:gone': {}, 'f:ports': { 'k:{"containerPort":1}': { '.': {} }, 'i:7': {} } } },
        helm: { 'f:spec': { 'f:gone': {}, 'f:ports': { 'k:{"containerPort":1}': { '.': {} }, 'i:7': {} } } },
      },
      held: [],
    },
    {
      name: 'and we do not',
      entries: { rolebook: { 'f:spec': { 'f:a': {} } }, helm: { 'f:spec': { 'f:b': {} } } },
      held: [],
    },
    { name: 'where there is no other manager', entries: { rolebook: { 'f:spec': { 'f:a': {} } } }, held: [] },
    { name: 'where we hold nothing', entries: { helm: { 'f:spec': { 'f:a': {} } } }, held: [] },
  ]
  for (const { name, entries, held } of cases) {
    it(name, () => expect(printed(sharedFields(object(entries as Record<string, JsonObject>)))).to.deep.equal(held))
  }

  describe('once we have dropped them', () => {
    const both = { 'f:spec': { 'f:a': {}, 'f:b': { 'f:c': {} }, 'f:ports': { [PORT]: { 'f:name': {} } } } }
    const before = object({ rolebook: both })
    const after = object({ rolebook: { 'f:spec': { 'f:b': {} } }, helm: both, hpa: { 'f:spec': { 'f:a': {} } } })

    it('are named with each who holds them', () =>
      expect(printed(keptFields(before, after))).to.deep.equal([
        'helm: spec.a spec.b.c spec.ports[1].name',
        'hpa: spec.a',
      ]))

    it('are not those that the role hands over', () => {
      const paths = ['spec.a', 'spec.ports[containerPort=80]'].flatMap((text) => {
        const parsed = parseFieldPath(text)
        return 'path' in parsed ? [parsed.path] : []
      })
      expect(printed(keptFields(before, after, paths))).to.deep.equal(['helm: spec.b.c'])
    })
  })
})
