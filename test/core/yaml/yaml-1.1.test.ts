import { expect } from 'chai'
import { parseYaml } from '../../../src/core/yaml/parse-yaml.ts'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'

describe('a plain scalar, read as YAML 1.1', () => {
  for (const [text, value] of [
    ['yes', true],
    ['On', true],
    ['NO', false],
    ['off', false],
    ['y', 'y'],
    ['0644', 420],
    ['-010', -8],
    ['089', 89],
    ['1_000', 1000],
    ['0x1F', 31],
    ['0o17', '0o17'],
    ['1.10', 1.1],
    ['.5', 0.5],
    ['1e3', '1e3'],
    ['12:30', 750],
    ['-1:30', -90],
    ['2026-01-01', '2026-01-01'],
    ['.inf', '.inf'],
    ['9007199254740993', '9007199254740993'],
    ['true', true],
    ['12', 12],
    ['text', 'text'],
  ] as const) {
    it(`${text} is ${JSON.stringify(value)}`, () => {
      const { documents, diagnostics } = parseYaml(new SourceFile('a.yaml', `a: ${text}\n`), { dialect: 'yaml-1.1' })
      expect(diagnostics).to.deep.equal([])
      expect(documents[0]?.value).to.deep.equal({ a: value })
    })
  }

  it('is text in quotes', () => {
    const { documents } = parseYaml(new SourceFile('a.yaml', 'a: "yes"\n'), { dialect: 'yaml-1.1' })
    expect(documents[0]?.value).to.deep.equal({ a: 'yes' })
  })
})
