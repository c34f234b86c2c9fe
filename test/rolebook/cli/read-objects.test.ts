import { expect } from 'chai'
import { UsageError } from '../../../src/rolebook/cli/command.ts'
import { programVersion } from '../../../src/rolebook/cli/program-version.ts'
import { readObjects } from '../../../src/rolebook/cli/read-objects.ts'

describe('readObjects', () => {
  it('reads all documents of a file', () => {
    const text = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: b}\n'
    expect(readObjects('pods.yaml', text).map(({ metadata }) => metadata.name)).to.deep.equal(['a', 'b'])
  })

  it('reads what is in a list', () => {
    const text = 'apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Pod, metadata: {name: a}}]\n'
    expect(readObjects('pods.yaml', text).map(({ metadata }) => metadata.name)).to.deep.equal(['a'])
  })

  const refused = [
    {
      name: 'what is not YAML, with its place',
      text: 'apiVersion: v1\nkind: [Pod\n',
      says: /pods\.yaml:\d+:\d+ error RB10/,
    },
    { name: 'a text', text: 'hello\n', says: /not a Kubernetes object/ },
    { name: 'a list', text: '- a\n', says: /not a Kubernetes object/ },
    { name: 'an object without a name', text: 'apiVersion: v1\nkind: Pod\nmetadata: {}\n', says: /metadata\.name/ },
    { name: 'an object without a kind', text: 'apiVersion: v1\nmetadata: {name: a}\n', says: /kind/ },
  ]
  for (const { name, text, says } of refused) {
    it(`refuses ${name}`, () => expect(() => readObjects('pods.yaml', text)).to.throw(UsageError, says))
  }
})

describe('programVersion', () => {
  it('is the one that was compiled into a bundle', () => {
    globalThis.ROLEBOOK_VERSION = '9.9.9'
    try {
      expect(programVersion()).to.equal('9.9.9')
    } finally {
      globalThis.ROLEBOOK_VERSION = undefined
    }
  })
})
