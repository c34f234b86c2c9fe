/** Codes of what can be wrong with a file as YAML or against its schema. A code once used is never reused. */
export const YAML_ERRORS = {
  RB1001: 'not valid YAML',
  RB1002: 'file too large, too deeply nested or with too many values',
  RB1003: 'byte order mark, carriage returns or control characters',
  RB1004: 'tab where white space belongs',
  RB1005: 'duplicate key',
  RB1006: 'tag',
  RB1007: 'merge key',
  RB1008: 'key that is not plain text',
  RB1009: 'scalar that YAML readers understand differently',
  RB1010: 'number that is not kept exactly',
  RB1011: 'alias that is unknown, contains itself or expands too far',
  RB1012: 'more than one document',
  RB1013: 'directive',
  RB1014: 'empty file',
  RB1020: 'unknown key',
  RB1021: 'missing key',
  RB1022: 'wrong type',
  RB1023: 'value out of range or not allowed',
} as const

export type YamlErrorCode = keyof typeof YAML_ERRORS
