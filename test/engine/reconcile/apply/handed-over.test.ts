import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { valuesAt, withoutHandedOver } from '../../../../src/engine/reconcile/apply/managed-fields.ts'
import { type FieldPath, parseFieldPath } from '../../../../src/engine/role/field-path.ts'

const WEB = { name: 'web', image: 'web:1', env: ['a'] }
const SIDE = { name: 'side', image: 'side:1' }
const SPEC = {
  replicas: 3,
  strategy: { type: 'Recreate' },
  ports: [{ port: 80, name: 'http' }, { port: 443 }],
  containers: [WEB, SIDE],
}
const DESIRED: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'x', annotations: { note: 'a', 'rolebook.dev/owner': 'o' } },
  spec: SPEC,
}

function pathOf(text: string): FieldPath {
  const parsed = parseFieldPath(text)
  if ('problem' in parsed) throw new Error(parsed.problem.message)
  return parsed.path
}

function live(
  ...entries: { manager: string; operation?: string; subresource?: string; fieldsV1?: JsonObject }[]
): KubeObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x', managedFields: entries } }
}

const REPLICAS = { 'f:spec': { 'f:replicas': {} } }
const web = (rest: JsonObject): JsonObject => ({ ...SPEC, containers: [rest, SIDE] })

const cases: { name: string; paths: string[]; by: Parameters<typeof live>[0]; spec: JsonObject }[] = [
  {
    name: 'a field that an autoscaler has through the scale subresource',
    paths: ['spec.replicas'],
    by: { manager: 'kube-controller-manager', operation: 'Update', subresource: 'scale', fieldsV1: REPLICAS },
    spec: { ...SPEC, replicas: undefined },
  },
  {
    name: 'nothing that we have',
    paths: ['spec.replicas'],
    by: { manager: 'rolebook', fieldsV1: REPLICAS },
    spec: SPEC,
  },
  { name: 'nothing of an entry without fields', paths: ['spec.replicas'], by: { manager: 'm' }, spec: SPEC },
  {
    name: 'nothing that is not listed',
    paths: ['spec.strategy'],
    by: { manager: 'm', fieldsV1: REPLICAS },
    spec: SPEC,
  },
  {
    name: 'nothing that is not set',
    paths: ['spec.paused'],
    by: { manager: 'm', fieldsV1: { 'f:spec': { 'f:paused': {} } } },
    spec: SPEC,
  },
  {
    name: 'a whole that has lost its last field',
    paths: ['spec.strategy'],
    by: { manager: 'm', fieldsV1: { 'f:spec': { 'f:strategy': { '.': {}, 'f:type': {} } } } },
    spec: { ...SPEC, strategy: undefined },
  },
  {
    name: 'a field of an item, and not the item',
    paths: ['spec.containers[name=web].image'],
    by: {
      manager: 'm',
      fieldsV1: {
        'f:spec': { 'f:containers': { 'k:{"name":"web"}': { 'f:image': {} }, 'k:{"name":"side"}': { 'f:image': {} } } },
      },
    },
    spec: web({ name: 'web', env: ['a'] }),
  },
  {
    name: 'what they have of an item, whose keys stay',
    paths: ['spec.containers[name=web]'],
    by: {
      manager: 'm',
      fieldsV1: { 'f:spec': { 'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:name': {}, 'f:image': {} } } } },
    },
    spec: web({ name: 'web', env: ['a'] }),
  },
  {
    name: 'an item that would be left empty',
    paths: ['spec.containers'],
    by: {
      manager: 'm',
      fieldsV1: { 'f:spec': { 'f:containers': { 'k:{"name":"side"}': { '.': {}, 'f:name': {}, 'f:image': {} } } } },
    },
    spec: { ...SPEC, containers: [WEB] },
  },
  {
    name: 'items by the keys that they state',
    paths: ['spec.ports[port=80].name'],
    by: { manager: 'm', fieldsV1: { 'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { 'f:name': {} } } } } },
    spec: { ...SPEC, ports: [{ port: 80 }, { port: 443 }] },
  },
]

describe('handOver: what is left out', () => {
  for (const { name, paths, by, spec } of cases) {
    it(`is ${name}`, () => {
      const sent = withoutHandedOver(DESIRED, live(by), paths.map(pathOf))
      expect(JSON.parse(JSON.stringify(sent.spec))).to.deep.equal(JSON.parse(JSON.stringify(spec)))
      expect(sent.metadata).to.deep.equal(DESIRED.metadata)
    })
  }

  it('never is a mark of ours', () => {
    const fieldsV1 = { 'f:metadata': { 'f:annotations': { 'f:note': {}, 'f:rolebook.dev/owner': {} } } }
    const sent = withoutHandedOver(DESIRED, live({ manager: 'm', fieldsV1 }), [pathOf('metadata.annotations')])
    expect(sent.metadata.annotations).to.deep.equal({ 'rolebook.dev/owner': 'o' })
  })

  it('is nothing of an object without entries', () => {
    const object = DESIRED
    expect(withoutHandedOver(object, object, [pathOf('spec')])).to.deep.equal(object)
  })

  it('is known by its values', () => {
    const paths = [
      'spec.replicas',
      'spec.containers[name=side].image',
      'spec.paused.x',
      'spec.replicas[a=b]',
      'spec.containers[name=web].env[a=b]',
    ].map(pathOf)
    expect(valuesAt(DESIRED, paths)).to.deep.equal([3, 'side:1', null, null, null])
  })
})
