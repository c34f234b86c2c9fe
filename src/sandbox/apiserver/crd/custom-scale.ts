import type { ServedResource } from '../served-resource.ts'
import { AGE, printerColumns } from './printer-columns.ts'

const COLUMNS = [
  ...printerColumns([
    { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas', description: 'Number of desired replicas' },
    { name: 'Available', type: 'integer', jsonPath: '.status.replicas', description: 'Number of actual replicas' },
  ]),
  AGE,
]

/** The Scale of custom resources: that of built-in kinds, shown otherwise. */
export function customScale(scale: ServedResource): ServedResource {
  return { ...scale, goType: 'v1.Scale', rules: { ...scale.rules, columns: COLUMNS } }
}
