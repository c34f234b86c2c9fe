import { expect } from 'chai'
import type { ResourceMapping } from '../../../../src/core/kube/resource-mapper.ts'
import { type Access, NamespaceRules } from '../../../../src/engine/reconcile/ownership/ownership.ts'
import type { AllowedNamespaces } from '../../../../src/engine/role/role.ts'
import { TaskFailure } from '../../../../src/engine/role/task-outcome.ts'

const mapping = (namespaced: boolean): ResourceMapping => ({
  gvk: { group: '', version: 'v1', kind: 'Thing' },
  plural: 'things',
  namespaced,
  subresources: [],
  verbs: [],
})

interface Case {
  readonly name: string
  /** Of the resource; empty when it is cluster-scoped. */
  readonly own: string
  /** Of one entry, or of several. */
  readonly allowed?: AllowedNamespaces | readonly AllowedNamespaces[]
  readonly namespaced?: boolean
  readonly target?: string
  readonly access?: Access
  /** The namespace it lands in, or the reason of the refusal. */
  readonly expected: string
}

const cases: readonly Case[] = [
  { name: 'the own namespace by default', own: 'a', expected: 'in a' },
  { name: 'no other', own: 'a', target: 'b', expected: 'Forbidden' },
  { name: 'an allowed one', own: 'a', allowed: { write: ['b'] }, target: 'b', expected: 'in b' },
  { name: 'the own one beside it', own: 'a', allowed: { write: ['b'] }, expected: 'in a' },
  { name: 'any, when the entry says so', own: 'a', allowed: { write: ['*'] }, target: 'z', expected: 'in z' },
  { name: 'to read is not to write', own: 'a', allowed: { read: ['*'] }, target: 'z', expected: 'Forbidden' },
  {
    name: 'to write is not to read',
    own: 'a',
    allowed: { write: ['*'] },
    target: 'z',
    access: 'read',
    expected: 'Forbidden',
  },
  {
    name: 'a cluster-scoped object needs any',
    own: 'a',
    namespaced: false,
    allowed: { write: ['b'] },
    expected: 'Forbidden',
  },
  { name: 'and has it', own: 'a', namespaced: false, allowed: { write: ['*'] }, expected: 'in ' },
  {
    name: 'a cluster-scoped object leaves its namespace out',
    own: '',
    namespaced: false,
    target: 'a',
    expected: 'in ',
  },
  { name: 'a cluster-scoped resource reaches any', own: '', target: 'z', expected: 'in z' },
  { name: 'but must name one', own: '', expected: 'Invalid' },
  { name: 'unless it is narrowed', own: '', allowed: { write: ['b'] }, target: 'z', expected: 'Forbidden' },
  { name: 'what one of several allows', own: 'a', allowed: [{}, { write: ['b'] }], target: 'b', expected: 'in b' },
  { name: 'not what none of them does', own: 'a', allowed: [{}, { write: ['b'] }], target: 'c', expected: 'Forbidden' },
  {
    name: 'any, when one of several is not narrowed',
    own: '',
    allowed: [{ write: ['b'] }, {}],
    target: 'z',
    expected: 'in z',
  },
]

describe('NamespaceRules', () => {
  for (const { name, own, allowed = {}, namespaced = true, target, access = 'write', expected } of cases) {
    it(name, () => {
      const resolve = (): string => {
        try {
          const rules = new NamespaceRules(own, ...[allowed].flat())
          return `in ${rules.resolve(mapping(namespaced), { name: 'x', namespace: target }, access).namespace}`
        } catch (error) {
          return error instanceof TaskFailure ? error.reason : String(error)
        }
      }
      expect(resolve()).to.equal(expected)
    })
  }

  it('lists the namespaces that it reaches', () => {
    expect(new NamespaceRules('a', { read: ['c', 'b'] }).reach('read')).to.deep.equal(['a', 'b', 'c'])
    expect(new NamespaceRules('', { read: ['b'] }).reach('read')).to.deep.equal(['b'])
    expect(new NamespaceRules('', {}).reach('write')).to.equal(undefined)
    expect(new NamespaceRules('a', { write: ['c'] }, {}, { write: ['b'] }).reach('write')).to.deep.equal([
      'a',
      'b',
      'c',
    ])
  })
})
