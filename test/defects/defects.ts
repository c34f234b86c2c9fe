import type { Defect } from './defect.ts'
import { OPERATOR_DEFECTS } from './operator-defects.ts'
import { RECONCILE_DEFECTS } from './reconcile-defects.ts'
import { RUNTIME_DEFECTS } from './runtime-defects.ts'
import { SECRECY_DEFECTS } from './secrecy-defects.ts'

export const DEFECTS: readonly Defect[] = [
  ...RECONCILE_DEFECTS,
  ...RUNTIME_DEFECTS,
  ...OPERATOR_DEFECTS,
  ...SECRECY_DEFECTS,
]
