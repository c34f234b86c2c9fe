/** Starts a job for each topic, at most `limit` of them at once, in their order. The promises are those of the jobs. */
export function inParallel<Result>(
  topics: Iterable<string>,
  limit: number,
  run: (topic: string) => Promise<Result>,
): ReadonlyMap<string, Promise<Result>> {
  const gate = new Gate(limit)
  const jobs = [...topics].map((topic): [string, Promise<Result>] => [topic, gate.pass(() => run(topic))])
  // A caller that waits for a job gets its failure. When no caller waits yet, the failure must not end the process.
  for (const [, job] of jobs) job.catch(() => undefined)
  return new Map(jobs)
}

class Gate {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(free: number) {
    this.#free = free
  }

  async pass<Result>(job: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await job()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}
