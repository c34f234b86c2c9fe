import { expect } from 'chai'
import { checkText } from '../../support/checked-role.ts'
import { markedText } from '../../support/marked-text.ts'
import { RIGHT_MANIFESTS, WRONG_MANIFESTS } from './wrong-manifests.ts'

describe('2, 3: static types of tasks', () => {
  for (const { name, code, tasks, fix } of WRONG_MANIFESTS) {
    it(`${code}: ${name}`, () => {
      const { text, place } = markedText(`tasks:\n${tasks}`)
      const [first, ...others] = checkText(text)
      expect(`${first?.code} ${first?.line}:${first?.column}`).to.equal(`${code} ${place}`)
      expect(others.map(({ message }) => message)).to.deep.equal([])
      if (fix !== undefined) expect(first?.hint).to.include(fix)
    })
  }

  for (const { name, tasks } of RIGHT_MANIFESTS) {
    it(`says nothing against ${name}`, () => {
      expect(checkText(`tasks:\n${tasks}`).map(({ message }) => message)).to.deep.equal([])
    })
  }

  it('2: says nothing of variables that an entry of watches.yaml gives', () => {
    const text = 'vars: {size: 1}\ntasks:\n  - status: {ready: "${$size}"}\n'
    expect(checkText(text, { size: 'three' })).to.deep.equal([])
  })

  it('2: says nothing of a kind without a schema', () => {
    const text =
      'tasks:\n  - fail: {message: "${metadata.nmae & spec.anything.at.all}"}\n  - status: {x: 1}\n    when: ${spec.a}\n'
    const watch = { group: 'other.example.com', version: 'v1', kind: 'Other' }
    expect(checkText(text, {}, { watch }).map(({ code }) => code)).to.deep.equal(['RB1134'])
  })
})
