import { expect } from 'chai'
import fc from 'fast-check'
import { parseDocument } from 'yaml'
import type { JsonValue } from '../../../src/core/base/json.ts'
import { parseYaml } from '../../../src/core/yaml/parse-yaml.ts'
import { printYaml } from '../../../src/core/yaml/print-yaml.ts'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'
import { long } from '../../support/long-tests.ts'

describe('printYaml', () => {
  it('separates documents and keeps the order of keys', () => {
    expect(printYaml([{ kind: 'B', apiVersion: 'v1' }, { a: [1, { b: 2 }] }])).to.equal(
      'kind: B\napiVersion: v1\n---\na:\n  - 1\n  - b: 2\n',
    )
  })

  it('prints what is the same twice in full', () => {
    const labels = { app: 'web' }
    expect(printYaml([{ a: labels, b: labels }])).not.to.match(/[&*]/)
  })

  const risky = [
    '0644',
    'on',
    'Yes',
    'y',
    '2026-01-01',
    '1.10',
    '12:30',
    'null',
    '~',
    '0o17',
    '1_0',
    '=',
    '<<',
    '',
    ' x',
    'x ',
    '- a',
    'a: b',
    '#c',
    '@x',
    '`',
    '"',
    "'",
    '\u0007',
    'a\tb',
    '1e3',
    '.nan',
    '123',
    'true',
    '{a}',
    '[a]',
    '*a',
    '&a',
    '!a',
    '%a',
    '|',
    '>',
    '.',
    '-._',
    'a\u2066b',
    '\u0085',
  ]
  for (const text of risky) {
    it(`quotes ${JSON.stringify(text)} so that readers of YAML 1.1, 1.2 and rolebook take it for text`, () => {
      const printed = printYaml([{ [text]: text }])
      // The library takes even a quoted << for a merge key in 1.1; kubectl does not.
      for (const version of text === '<<' ? (['1.2'] as const) : (['1.1', '1.2'] as const)) {
        expect(parseDocument(printed, { version }).toJS(), `YAML ${version}`).to.deep.equal({ [text]: text })
      }
      const { documents, diagnostics } = parseYaml(new SourceFile('f', printed))
      expect(diagnostics).to.deep.equal([])
      expect(documents[0]?.value).to.deep.equal({ [text]: text })
    })
  }

  long.it('prints any JSON so that it reads back equal', () => {
    const key = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => text !== '__proto__')
    const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
        fc.maxSafeInteger().filter((number) => !Object.is(number, -0)),
        fc.constantFrom(true, false, 0.5, 1.25, ...risky),
        fc.array(tie('json'), { maxLength: 4 }),
        fc.dictionary(key, tie('json'), { maxKeys: 4 }).map((object) => ({ ...object })),
      ),
    }))
    fc.assert(
      fc.property(json, (value) => {
        const printed = printYaml([{ value }])
        const { documents, diagnostics } = parseYaml(new SourceFile('f', printed))
        expect(diagnostics).to.deep.equal([])
        expect(documents[0]?.value).to.deep.equal({ value })
        if (!printed.includes('<<')) expect(parseDocument(printed, { version: '1.1' }).toJS()).to.deep.equal({ value })
      }),
      { numRuns: 300 },
    )
  })
})
