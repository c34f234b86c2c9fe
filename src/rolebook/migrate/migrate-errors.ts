/** Codes of what a migration cannot read, or leaves to a person. Never reused. */
export const MIGRATE_ERRORS = {
  RB1701: 'watches.yaml of another operator that cannot be read',
  RB1702: 'role, playbook or file that is not there',
  RB1703: 'key of a watch that a person must decide',
  RB1704: 'task that a person must decide',
  RB1705: 'template that is not simple',
  RB1706: 'file of tasks or variables of another form',
} as const

export type MigrateErrorCode = keyof typeof MIGRATE_ERRORS
