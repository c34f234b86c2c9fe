/** Codes of what can be wrong with a file of role tests, beside its shape. Never reused. */
export const TEST_ERRORS = {
  RB1601: 'duration of a test',
  RB1602: 'step that does two things',
  RB1603: 'object of a test that is not an object of the API',
  RB1604: 'kind that the server of a test does not know',
  RB1605: 'regular expression of a test',
  RB1606: 'given file that cannot be used',
  RB1607: 'matcher that is none',
  RB1608: 'refusal in a step that asks the server for nothing',
  RB1609: 'field of a test that the schema does not have',
} as const
