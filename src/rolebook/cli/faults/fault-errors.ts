/** Codes of what can be wrong with a plan of faults, beside its shape. Never reused. */
export const FAULT_ERRORS = {
  RB1501: 'duration of a fault',
  RB1502: 'faults that exclude each other',
  RB1503: 'fault that can never happen',
} as const
