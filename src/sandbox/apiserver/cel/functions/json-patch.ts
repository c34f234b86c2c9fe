import type { FunctionTable } from '../signature.ts'

/** For expressions that make patches only. */
export const JSON_PATCHES: FunctionTable = {
  'jsonpatch.escapeKey(string): string': ([key], call) => {
    const text = key as string
    call.spend(Math.max(0, Math.ceil(text.length / 10) - 1))
    return text.replaceAll('~', '~0').replaceAll('/', '~1')
  },
}
