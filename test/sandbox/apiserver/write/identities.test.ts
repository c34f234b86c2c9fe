import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { SteadyIdentities } from '../../../../src/sandbox/apiserver/write/identities.ts'
import { Sandbox } from '../sandbox.ts'

const named = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'default', name },
})
const generated = (): KubeObject => ({ ...named(''), metadata: { namespace: 'default', generateName: 'gen-' } })

/** Names and uids of objects created in this order on a server of their own. */
function identitiesOf(objects: readonly KubeObject[]): readonly string[] {
  const { objects: api } = new Sandbox({ identities: new SteadyIdentities() })
  return objects.map((object) => api.create(object, 'test').metadata).map(({ name, uid }) => `${name} ${uid}`)
}

describe('a server with steady identities', () => {
  it('gives an object the same uid whatever was created before it', () => {
    const [a, b] = identitiesOf([named('a'), named('b')])
    expect(identitiesOf([named('b'), named('a')])).to.deep.equal([b, a])
    expect(a).to.match(/^a [0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(a?.slice(2)).not.to.equal(b?.slice(2))
  })

  it('generates the same names in the same order, and none of them twice', () => {
    const names = identitiesOf([generated(), generated()])
    expect(names).to.deep.equal(identitiesOf([generated(), generated()]))
    expect(new Set(names)).to.have.lengthOf(2)
    expect(names[0]).to.match(/^gen-[bcdfghjklmnpqrstvwxz2456789]{5} /)
  })

  it('generates another name when one is taken, and gives up with the eighth, as a server does', () => {
    const [first = ''] = identitiesOf([generated()])
    const second = identitiesOf([generated(), generated()])[1]?.split(' ')[0]
    const { objects } = new Sandbox({ identities: new SteadyIdentities() })
    objects.create(named(first.split(' ')[0] ?? ''), 'test')
    expect(objects.create(generated(), 'test').metadata.name).to.equal(second)

    const always = { uidOf: () => 'u', nameFor: (prefix: string) => `${prefix}taken` }
    const { objects: full } = new Sandbox({ identities: always })
    full.create(generated(), 'test')
    expect(() => full.create(generated(), 'test')).to.throw('configmaps "gen-taken" already exists')
  })

  it('gives an object that comes again another uid', () => {
    const { objects } = new Sandbox({ identities: new SteadyIdentities() })
    const first = objects.create(named('a'), 'test')
    objects.delete({ group: '', version: 'v1', kind: 'ConfigMap' }, { namespace: 'default', name: 'a' })
    expect(objects.create(named('a'), 'test').metadata.uid).not.to.equal(first.metadata.uid)
  })
})
