import type { Value } from '../value.ts'
import type { Call } from './builtin.ts'
export function formatNumber(_value: number, _call: Call, _args: readonly Value[]): string {
  return ''
}
