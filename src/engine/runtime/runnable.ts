/** Something that can be started and stopped. */
export interface Runnable {
  readonly name: string
  /** Runs until `signal` aborts. Resolves when all work has ended. */
  start(signal: AbortSignal): Promise<void>
}
