import { expect } from 'chai'
import { parseLoosely } from '../../../src/core/yaml/parse-loosely.ts'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'

/** What stands at the `¦` of a text: path, key or value, the text there and how much of it is before the mark. */
const placeIn = (marked: string) => {
  const offset = marked.indexOf('¦')
  const { document } = parseLoosely(new SourceFile('a.yaml', marked.replace('¦', '')), offset)
  const { path, at, scalar } = document?.placeAt(offset) ?? {}
  return [path?.join('.'), at, scalar?.text, scalar?.offset]
}

describe('the place of a cursor in YAML', () => {
  for (const { name, text, found } of [
    { name: 'a key', text: 'a:\n  b¦c: 1\n', found: ['a.bc', 'key', 'bc', 1] },
    { name: 'a value', text: 'a:\n  b: on¦e\n', found: ['a.b', 'value', 'one', 2] },
    { name: 'the end of a word', text: 'a: one¦\n', found: ['a', 'value', 'one', 3] },
    { name: 'an item', text: 'a: [x, ¦y]\n', found: ['a.1', 'value', 'y', 0] },
    { name: 'an item of a list of maps', text: '- a: 1\n- a: ¦2\n', found: ['1.a', 'value', '2', 0] },
    { name: 'a quoted text', text: 'a: "x\\ty¦z"\n', found: ['a', 'value', 'x\tyz', 3] },
    { name: 'a block of text', text: 'a: |\n  one\n  t¦wo\n', found: ['a', 'value', 'one\ntwo\n', 5] },
    { name: 'a text that is not closed', text: 'a: 1\nb: "xy¦', found: ['b', 'value', 'x', 1] },
    { name: 'a text that ends in a backslash', text: 'a: "x\\¦', found: ['a', 'value', 'x', 1] },
    { name: 'brackets that are not closed', text: 'a: { b: [x¦', found: ['a.b.0', 'value', 'x', 1] },
    { name: 'a comment above everything', text: '# o¦ne\na: 1\n', found: ['', 'value', undefined, undefined] },
    { name: 'the second document', text: 'a: 1\n---\nb: ¦2\n', found: ['b', 'value', '2', 0] },
  ]) {
    it(`is known in ${name}`, () => expect(placeIn(text)).to.deep.equal(found))
  }

  it('is that of an alias itself while it names nothing yet', () => {
    const { document } = parseLoosely(new SourceFile('a.yaml', 'a: &one 1\nb: *on\n'), 0)
    const { start, end } = document!.locate(['b'])
    expect(document?.source.text.slice(start, end)).to.equal('*on')
  })

  it('is not known in a text that is nested too deeply', () =>
    expect(placeIn(`${'['.repeat(200)}¦`)[0]).to.equal(undefined))
})
