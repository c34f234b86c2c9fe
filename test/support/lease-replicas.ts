import { FakeClock } from '../../src/core/base/fake-clock.ts'
import { type LogFields, type Logger, nopLogger } from '../../src/core/base/logger.ts'
import { LeaderElection, type LeaderElectionOptions } from '../../src/engine/runtime/leader-election.ts'
import { LeaseServer, type Line } from './lease-server.ts'

/** One process that takes part in an election, with a clock of its own. */
export class Replica {
  readonly name: string
  readonly clock = new FakeClock()
  readonly line: Line = {
    fault: 'none',
    release: undefined,
    holdsWrites: false,
    holdsReads: false,
    watchable: true,
    isStopped: false,
    listeners: new Set(),
  }
  readonly election: LeaderElection
  /** Each change of its leadership: true when it began to lead. */
  readonly changes: boolean[] = []
  readonly log: string[] = []
  /** As fast as time itself. */
  rate = 1
  readonly #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(server: LeaseServer, name: string, options: Partial<LeaderElectionOptions> = {}) {
    this.name = name
    this.election = new LeaderElection({
      client: server.clientOf(name, this.line),
      clock: this.clock,
      logger: this.#logger(),
      lease: { namespace: 'ops', name: 'rolebook' },
      identity: name,
      fieldManager: 'rolebook',
      random: () => 1,
      ...options,
    })
    this.election.onChange((leads) => this.changes.push(leads))
  }

  get leads(): boolean {
    return this.rate > 0 && this.election.leads
  }

  begin(): void {
    this.#running = this.election.start(this.#stop.signal)
  }

  /** As SIGTERM does, once all work has ended. */
  async end(): Promise<void> {
    this.#stop.abort(new Error('the process stops'))
    await this.#running
  }

  askToEnd(): Promise<void> {
    this.#stop.abort(new Error('the process stops'))
    return this.#running
  }

  /** As SIGSTOP does, or SIGKILL when nothing follows. */
  freeze(): void {
    this.rate = 0
    this.line.isStopped = true
  }

  /** As SIGCONT does, but nothing has run yet: its clock has gone on. */
  thaw(missed: number): void {
    this.rate = 1
    this.clock.pass(missed)
    this.line.isStopped = false
  }

  /** What is late happens. */
  async catchUp(): Promise<void> {
    while ((this.clock.nextIn ?? 1) <= 0) {
      this.clock.fireNext()
      await this.clock.settle()
    }
    for (const listener of this.line.listeners) listener()
  }

  #logger(): Logger {
    const note = (message: string, _fields?: LogFields): void => void this.log.push(message)
    const logger: Logger = { ...nopLogger, info: note, warn: note, child: () => logger }
    return logger
  }
}

/** Several processes, one server, and time that passes for all of them, each at its own rate. */
export class Replicas {
  readonly server = new LeaseServer()
  readonly all: Replica[] = []
  /** Steps at which more than one led. */
  doubled = 0

  add(name: string, line: Partial<Line> = {}): Replica {
    const replica = new Replica(this.server, name)
    Object.assign(replica.line, line)
    this.all.push(replica)
    replica.begin()
    return replica
  }

  leaders(): readonly string[] {
    return this.all.filter(({ leads }) => leads).map(({ name }) => name)
  }

  async pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= STEP) {
      for (const { clock, rate } of this.all) if (rate > 0) await clock.advance(STEP * rate)
      if (this.leaders().length > 1) this.doubled++
    }
  }

  /** Milliseconds until a process leads for which `wanted` is true. */
  async until(wanted: (name: string) => boolean): Promise<number> {
    for (let passed = 0; passed < 200_000; passed += STEP) {
      if (this.leaders().some(wanted)) return passed
      await this.pass(STEP)
    }
    throw new Error(`there is no leader; ${JSON.stringify(this.all.map(({ name, log }) => [name, log]))}`)
  }
}

const STEP = 100
