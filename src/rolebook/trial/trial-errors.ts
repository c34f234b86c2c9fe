/** Codes of what a trial of a role finds (RB18xx). Never reused. */
export const TRIAL_ERRORS = {
  RB1801: 'object that a server refuses',
  RB1802: 'object that a server warns of',
  RB1803: 'task that fails',
  RB1804: 'object that is written twice',
  RB1805: 'status that a server refuses',
  RB1806: 'reference that leads nowhere',
  RB1807: 'kind that is not known',
  RB1808: 'sample that the role refuses',
  RB1809: 'value of a Secret where others can read it',
} as const
