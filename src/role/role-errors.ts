/** Codes of what can be wrong with a role (RB11xx) and with the expressions in it (RB12xx). Never reused. */
export const ROLE_ERRORS = {
  RB1101: 'modifier that the task does not take',
  RB1102: '`loopVar` without `loop`',
  RB1103: 'name that is taken already',
  RB1104: 'reserved name',
  RB1105: 'name that expressions cannot read',
  RB1106: '`when` of a task that owns objects reads live state',
  RB1107: 'nested loop without a name of its own',
  RB1201: 'syntax error in an expression',
  RB1202: '`${` without its closing brace',
  RB1203: 'unknown function',
  RB1204: 'unknown variable',
  RB1205: 'function that the language leaves out',
  RB1206: 'construct that the language leaves out',
  RB1207: 'field that the resource does not have',
  RB1208: 'own status in an expression',
  RB1209: 'expression too large or too deeply nested',
  RB1210: 'exactly one expression is needed',
} as const

export type RoleErrorCode = keyof typeof ROLE_ERRORS
