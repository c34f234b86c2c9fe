import { columnsOf } from './common/columns.ts'
import { objectAt, textAt } from './common/fields.ts'
import { keepField, keepStatus } from './common/strategies.ts'
import type { KindRules } from './kind-rules.ts'
import { OTHER_CELLS } from './other-cells.ts'

const gvk = { group: 'certificates.k8s.io', version: 'v1', kind: 'CertificateSigningRequest' }

export const certificateSigningRequest: KindRules = {
  gvk,
  prepareForCreate: (object) => ({ ...object, status: {} }),
  prepareForUpdate: (object, old) => keepStatus(keepField(object, old, 'spec'), old),
  prepareForStatusUpdate: (object, old) => keepField(object, old, 'spec'),
  fieldSelectors: { 'spec.signerName': (object) => textAt(objectAt(object, 'spec'), 'signerName') },
  columns: columnsOf(gvk, OTHER_CELLS.CertificateSigningRequest),
}
