import { ARRAY_BUILTINS } from './arrays.ts'
import { BOOLEAN_BUILTINS } from './booleans.ts'
import type { Builtin } from './builtin.ts'
import { DATE_TIME_BUILTINS } from './date-time/date-time.ts'
import { ENCODING_BUILTINS } from './encoding.ts'
import { HIGHER_ORDER_BUILTINS } from './higher-order.ts'
import { INTEGER_BUILTINS } from './integers.ts'
import { NUMBER_BUILTINS } from './numbers.ts'
import { OBJECT_BUILTINS } from './objects.ts'
import { REGEX_BUILTINS } from './regex-functions.ts'
import { STRING_BUILTINS } from './strings.ts'

/**
 * JSONata's own functions, all that our language has of them.
 *
 * `$eval $now $millis $random $shuffle $clone` are left out: a result depends on its inputs only, and text is never code.
 */
export const BUILTIN_FUNCTIONS: readonly Builtin[] = [
  ...STRING_BUILTINS,
  ...ENCODING_BUILTINS,
  ...NUMBER_BUILTINS,
  ...INTEGER_BUILTINS,
  ...DATE_TIME_BUILTINS,
  ...BOOLEAN_BUILTINS,
  ...ARRAY_BUILTINS,
  ...OBJECT_BUILTINS,
  ...REGEX_BUILTINS,
  ...HIGHER_ORDER_BUILTINS,
]
