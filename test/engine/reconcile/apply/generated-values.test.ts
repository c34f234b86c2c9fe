import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { withGeneratedValues } from '../../../../src/engine/reconcile/apply/desired-object.ts'
import { TaskFailure } from '../../../../src/engine/role/task-outcome.ts'

const KEYS = [
  { key: 'password', length: 8, characters: 'abcdefghij' },
  { key: 'pin', length: 10, characters: '0123456789' },
]
const zeros = (count: number): Uint8Array => new Uint8Array(count)

function secret(data?: Record<string, string>): KubeObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, ...(data && { data }) }
}

const encoded = (text: string): string => Buffer.from(text).toString('base64')
const fill = (given: KubeObject, live: KubeObject | undefined): unknown =>
  withGeneratedValues(given, live, { keys: KEYS, random: zeros }).data
const NEW = { password: encoded('aaaaaaaa'), pin: encoded('0000000000') }

const CASES = [
  { name: 'are made where there is no Secret', given: secret(), live: undefined, data: NEW },
  {
    name: 'stand beside what the manifest gives',
    given: secret({ user: 'dQ==' }),
    live: undefined,
    data: { user: 'dQ==', ...NEW },
  },
  {
    name: 'are those of the live Secret, whatever their length',
    given: secret(),
    live: secret({ password: encoded('kept'), pin: encoded('1') }),
    data: { password: encoded('kept'), pin: encoded('1') },
  },
  {
    name: 'are made again where the live Secret has lost them',
    given: secret(),
    live: secret({ password: encoded('kept') }),
    data: { ...NEW, password: encoded('kept') },
  },
  { name: 'are made again where they are empty', given: secret(), live: secret({ password: '', pin: '' }), data: NEW },
]

describe('generated values', () => {
  for (const { name, given, live, data } of CASES) it(name, () => expect(fill(given, live)).to.deep.equal(data))

  it('are refused where an expression gives the key as well', () => {
    expect(() => fill(secret({ pin: 'MQ==' }), undefined))
      .to.throw(TaskFailure, 'cannot generate `data.pin`: the manifest sets it, too (remove one of them)')
      .with.property('reason', 'Invalid')
  })
})
