import { columnsOf } from './common/columns.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: '', version: 'v1', kind: 'ServiceAccount' }

export const serviceAccount: KindRules = { gvk, columns: columnsOf(gvk) }
