import { expect } from 'chai'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { blamedField } from '../../../src/rolebook/trial/blamed-field.ts'

const OBJECT = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'a' }, { name: 'b', tty: 'no' }], args: ['x', 'y'] },
} as unknown as KubeObject

const CASES: readonly { readonly name: string; readonly field: string; readonly isMeant: (text: string) => boolean }[] =
  [
    {
      name: 'a field of the second item of a list',
      field: 'spec.containers[1].tty',
      isMeant: (text) => !text.includes('tty'),
    },
    { name: 'an item of a list', field: 'spec.args[1]', isMeant: (text) => !text.includes('"y"') },
    { name: 'no field where every change is refused alike', field: '', isMeant: () => false },
  ]

describe('the field that a refusal is about', () => {
  for (const { name, field, isMeant } of CASES) {
    it(`is ${name}`, () => {
      const says = (changed: KubeObject): string | undefined =>
        isMeant(JSON.stringify(changed)) ? undefined : 'refused'
      expect(blamedField(OBJECT, 'refused', says)).to.equal(field)
    })
  }
})
