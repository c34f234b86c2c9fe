import { expect } from 'chai'
import type { JsonValue } from '../../../../src/core/base/json.ts'
import { printerColumns } from '../../../../src/sandbox/apiserver/crd/printer-columns.ts'

const NOW = Date.UTC(2026, 0, 1)
const OBJECT = {
  apiVersion: 'a/v1',
  kind: 'A',
  metadata: { name: 'n', creationTimestamp: '2025-12-31T23:59:30Z' },
  spec: { text: 'x', number: 1.5, yes: true, list: ['a'], none: null, date: '2025-12-31T00:00:00Z', bad: 'no date' },
}

describe('printerColumns', () => {
  it('are name and age unless the CRD says otherwise', () => {
    const columns = printerColumns([])
    expect(columns.map((column) => [column.name, column.cell(OBJECT, NOW)])).to.deep.equal([
      ['Name', 'n'],
      ['Age', '30s'],
    ])
  })

  const cases: readonly { readonly type: string; readonly path: string; readonly cell: JsonValue }[] = [
    { type: 'string', path: '.spec.text', cell: 'x' },
    { type: 'string', path: '.spec.number', cell: '1.5' },
    { type: 'string', path: '.spec.list', cell: '["a"]' },
    { type: 'string', path: '.spec.none', cell: '<no value>' },
    { type: 'string', path: '.spec.missing', cell: null },
    { type: 'integer', path: '.spec.number', cell: 1 },
    { type: 'integer', path: '.spec.text', cell: null },
    { type: 'number', path: '.spec.number', cell: 1.5 },
    { type: 'number', path: '.spec.yes', cell: null },
    { type: 'boolean', path: '.spec.yes', cell: true },
    { type: 'boolean', path: '.spec.text', cell: null },
    { type: 'date', path: '.spec.date', cell: '24h' },
    { type: 'date', path: '.spec.bad', cell: '<invalid>' },
    { type: 'date', path: '.spec.number', cell: null },
    { type: 'other', path: '.spec.text', cell: null },
  ]
  for (const { type, path, cell } of cases) {
    it(`shows ${path} as ${type}: ${JSON.stringify(cell)}`, () => {
      const column = printerColumns([{ name: 'C', type, jsonPath: path }])[1]
      expect(column?.cell(OBJECT, NOW)).to.deep.equal(cell)
    })
  }

  it('end before the first whose path cannot be read', () => {
    const paths = ['.spec.text', '.spec.list[x]', '.spec.number']
    const columns = printerColumns(paths.map((jsonPath) => ({ name: jsonPath, type: 'string', jsonPath })))
    expect(columns.map(({ name }) => name)).to.deep.equal(['Name', '.spec.text'])
  })

  it('describe themselves by their path when nothing else is said', () => {
    const column = printerColumns([{ name: 'C', type: 'string', jsonPath: '.a', priority: 1 }])[1]
    expect(column?.description).to.equal('Custom resource definition column (in JSONPath format): .a')
    expect(column?.priority).to.equal(1)
  })
})
