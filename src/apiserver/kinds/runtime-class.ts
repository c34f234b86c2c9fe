import { columnsOf } from './common/columns.ts'
import { textAt } from './common/fields.ts'
import type { KindRules } from './kind-rules.ts'

const gvk = { group: 'node.k8s.io', version: 'v1', kind: 'RuntimeClass' }

export const runtimeClass: KindRules = {
  gvk,
  unconditionalUpdate: false,
  columns: columnsOf(gvk, { Handler: (object) => textAt(object, 'handler') }),
}
