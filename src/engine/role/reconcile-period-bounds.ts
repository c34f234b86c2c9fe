/** Bounds in milliseconds of how often a resource is looked at without a reason. Shorter periods are a mistake or an attack. */
export const RECONCILE_PERIOD = { min: 10_000, max: 500 * 3_600_000 } as const
