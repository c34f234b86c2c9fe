/** Something that runs from a start to a stop. */
export interface Runnable {
  readonly name: string
  /** Runs until `signal` aborts; resolves when all of its work has ended. */
  start(signal: AbortSignal): Promise<void>
}
