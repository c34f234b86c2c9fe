import { ExpressionError, type ExpressionErrorOptions } from '../expression-error.ts'

/** What can go wrong in a function. Codes are JSONata's where it has one, else ours (`E…`). */
export const BUILTIN_ERRORS = {
  D1001: 'a number is infinite',
  D1004: 'the regular expression matches text of no length, so it would never end',
  T0410: 'an argument does not match the signature of the function',
  T1010: 'the matcher function does not return {match, start, end, groups, next}',
  D3001: '$string cannot write infinity or NaN',
  D3010: '$replace cannot search for empty text',
  D3011: 'the limit of $replace is negative',
  D3012: '$replace needs text as replacement',
  D3020: 'the limit of $split is negative',
  D3030: 'the value cannot be read as a number',
  D3040: 'the limit of $match is negative',
  D3060: '$sqrt cannot take a negative number',
  D3061: 'the result of $power is not a finite number',
  D3080: 'the picture has more than two parts',
  D3081: 'the picture has more than one decimal separator',
  D3082: 'the picture has more than one percent sign',
  D3083: 'the picture has more than one per-mille sign',
  D3084: 'the picture has a percent and a per-mille sign',
  D3085: 'the picture has no digit before its exponent',
  D3086: 'the picture has other text between its digits',
  D3087: 'the picture has a grouping separator beside its decimal separator',
  D3088: 'the integer part of the picture ends in a grouping separator',
  D3089: 'the picture has two grouping separators in a row',
  D3090: 'the integer part of the picture has an optional digit after a mandatory one',
  D3091: 'the fraction of the picture has a mandatory digit after an optional one',
  D3092: 'the picture has an exponent and a percent or per-mille sign',
  D3093: 'the exponent of the picture holds something other than digits',
  D3100: 'the base of $formatBase is not between 2 and 36',
  D3110: '$toMillis needs a time in ISO 8601 form',
  D3130: 'the picture is not one this implementation can count in',
  D3131: 'the picture mixes digits of several scripts',
  D3132: 'the date picture has an unknown component',
  D3133: 'the date picture asks for a name where only months and days have one',
  D3134: 'the date picture has more than four digits for the time zone',
  D3135: 'the date picture has no "]" for a "["',
  D3136: 'the date picture lacks parts without which the text is not a point in time',
  D3140: 'the text holds an invalid escape or half a character',
  E1101: 'the time, or its time zone, is out of range',
} as const

export type BuiltinErrorCode = keyof typeof BUILTIN_ERRORS

/** An error of a function. The evaluator adds where it was called, unless `position` says where it arose. */
export function builtinError(code: BuiltinErrorCode, options: ExpressionErrorOptions = {}): ExpressionError {
  const phase = code.startsWith('T') ? 'type' : 'evaluation'
  return new ExpressionError(phase, code, BUILTIN_ERRORS[code], options)
}
