import type { Builtin } from './builtin.ts'
import { STRING_BUILTINS } from './strings.ts'

/**
 * JSONata's own functions, all that our language has of them.
 *
 * `$eval $now $millis $random $shuffle $clone` are left out: a result depends on its inputs only, and text is never code.
 */
export const BUILTIN_FUNCTIONS: readonly Builtin[] = [...STRING_BUILTINS]
