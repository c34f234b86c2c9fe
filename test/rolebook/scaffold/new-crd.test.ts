import { expect } from 'chai'
import { newCrd } from '../../../src/rolebook/scaffold/new-crd.ts'

const gvk = { group: 'example.com', version: 'v1', kind: 'Shop' }
const spec = { type: 'object' }

const versionOf = (crd: unknown): unknown => (crd as { spec: { versions: unknown[] } }).spec.versions[0]

describe('the CRD of a new kind', () => {
  it('shows readiness and age', () => {
    const { additionalPrinterColumns } = versionOf(newCrd({ gvk, spec })) as {
      additionalPrinterColumns: { name: string }[]
    }
    expect(additionalPrinterColumns.map(({ name }) => name)).to.deep.equal(['Ready', 'Reason', 'Age'])
  })

  it('shows the columns that are wanted instead', () => {
    const columns = [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }]
    expect(versionOf(newCrd({ gvk, spec, columns }))).to.deep.include({ additionalPrinterColumns: columns })
  })
})
