import { expect } from 'chai'
import type { JsonObject } from '../../../../../src/core/base/json.ts'
import type { KindContext } from '../../../../../src/sandbox/apiserver/kinds/kind-rules.ts'
import { withRuntimeClass } from '../../../../../src/sandbox/apiserver/kinds/pod/runtime-class-admission.ts'

interface Case {
  readonly name: string
  readonly own: JsonObject
  readonly ofClass: JsonObject
  /** Which of the two the pod has in the end. */
  readonly kept: readonly ('own' | 'ofClass')[]
}

const ALL = { operator: 'Exists' }
const EQUAL = { key: 'a', operator: 'Equal', value: 'b' }
const FOR_A_TIME = { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10 }

const cases: readonly Case[] = [
  { name: 'what both tolerate is there once', own: EQUAL, ofClass: EQUAL, kept: ['own'] },
  { name: 'who tolerates everything tolerates each', own: EQUAL, ofClass: ALL, kept: ['ofClass'] },
  { name: 'who tolerates everything needs no class for it', own: ALL, ofClass: EQUAL, kept: ['own'] },
  {
    name: 'a value of no key is not everything',
    own: EQUAL,
    ofClass: { operator: 'Equal', value: 'b' },
    kept: ['own', 'ofClass'],
  },
  { name: 'another key is another', own: EQUAL, ofClass: { ...EQUAL, key: 'c' }, kept: ['own', 'ofClass'] },
  { name: 'every effect is more than one', own: { ...EQUAL, effect: 'NoSchedule' }, ofClass: EQUAL, kept: ['ofClass'] },
  {
    name: 'one effect is less than every one',
    own: EQUAL,
    ofClass: { key: 'a', operator: 'Exists', effect: 'NoSchedule' },
    kept: ['own', 'ofClass'],
  },
  { name: 'a longer time holds', own: { ...FOR_A_TIME, tolerationSeconds: 5 }, ofClass: FOR_A_TIME, kept: ['ofClass'] },
  {
    name: 'for ever is longer than any time',
    own: { key: 'a', operator: 'Exists', effect: 'NoExecute' },
    ofClass: FOR_A_TIME,
    kept: ['own'],
  },
  {
    name: 'a value for longer is not what a key is for a time',
    own: { ...EQUAL, effect: 'NoExecute', tolerationSeconds: 20 },
    ofClass: FOR_A_TIME,
    kept: ['own', 'ofClass'],
  },
  {
    name: 'a value for ever is not what a key is for a time',
    own: { ...EQUAL, effect: 'NoExecute' },
    ofClass: FOR_A_TIME,
    kept: ['own', 'ofClass'],
  },
  {
    name: 'without an operator, a value is asked for',
    own: EQUAL,
    ofClass: { key: 'a', value: 'b' },
    kept: ['ofClass'],
  },
  { name: 'another value is another', own: EQUAL, ofClass: { ...EQUAL, value: 'c' }, kept: ['own', 'ofClass'] },
  {
    name: 'a value is less than the key',
    own: { key: 'a', operator: 'Exists' },
    ofClass: { ...EQUAL, effect: '' },
    kept: ['own'],
  },
  {
    name: 'an operator that there is not covers nothing',
    own: EQUAL,
    ofClass: { key: 'a', operator: 'Like', value: 'b' },
    kept: ['own', 'ofClass'],
  },
]

describe('Tolerations of a pod and of its RuntimeClass', () => {
  for (const { name, own, ofClass, kept } of cases) {
    it(name, () => {
      const found = {
        apiVersion: 'node.k8s.io/v1',
        kind: 'RuntimeClass',
        metadata: { name: 'r' },
        scheduling: { tolerations: [ofClass] },
      }
      const context = { objects: { get: () => found, list: () => [found] } } as unknown as KindContext
      const spec = { runtimeClassName: 'r', tolerations: [own] }
      const { tolerations } = withRuntimeClass(spec, context, (cause) => new Error(cause))
      expect(tolerations).to.deep.equal(kept.map((which) => ({ own, ofClass })[which]))
    })
  }
})
