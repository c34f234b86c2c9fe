import { columnsOf } from './common/columns.ts'
import { numberAt, objectAt } from './common/fields.ts'
import type { TableColumn } from './kind-rules.ts'

/** Name and age are those of any kind. */
const COMMON = columnsOf({ group: '', version: 'v1', kind: 'ConfigMap' })

/** Of a Scale, which no list shows. */
export const SCALE_COLUMNS: readonly TableColumn[] = [
  ...COMMON.filter(({ name }) => name === 'Name').map((column) => ({ ...column, format: '' })),
  {
    name: 'Desired',
    type: 'integer',
    description: 'replicas is the desired number of instances for the scaled object.',
    cell: (scale) => numberAt(objectAt(scale, 'spec'), 'replicas'),
  },
  {
    name: 'Available',
    type: 'integer',
    description: 'replicas is the actual number of observed instances of the scaled object.',
    cell: (scale) => numberAt(objectAt(scale, 'status'), 'replicas'),
  },
  ...COMMON.filter(({ name }) => name === 'Age'),
]
