/** What a role may be called, in the terms of a schema. */
export const ROLE_NAME = {
  pattern: '^(?!.*\\.crd$)[A-Za-z0-9]([-A-Za-z0-9._]*[A-Za-z0-9])?$',
  explain: 'must be the name of a role in the roles folder: letters, digits, `-`, `_` and `.`, no path',
} as const
