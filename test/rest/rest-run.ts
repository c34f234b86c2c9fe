import { isDeepStrictEqual } from 'node:util'
import { systemClock } from '../../src/core/base/clock.ts'
import type { JsonValue } from '../../src/core/base/json.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import type { KubeClient } from '../../src/core/kube/client.ts'
import { connect } from '../../src/core/kube-client/connect.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import { startAsDeployed } from '../rights/deployed-operator.ts'
import { MountedConfig } from '../rights/mounted-config.ts'
import { Dice } from '../support/dice.ts'
import { InterceptingProxy } from '../support/intercepting-proxy.ts'
import { cpuSecondsOf, memoryMebibytesOf } from '../support/process-usage.ts'
import type { RolebookProcess } from '../support/rolebook-process.ts'
import { disturb } from './disturbances.ts'
import { Population } from './population.ts'

export interface RestOptions {
  readonly resources: number
  readonly disturbances: number
  readonly seed: number
  /** How long nothing is done to the cluster; `renewed` resolves when the lease is renewed the next time. */
  readonly rest: (renewed: () => Promise<void>) => Promise<void>
  readonly onProgress: (line: string) => void
}

export interface RestReport {
  /** Of the operator, its lease left out: `PATCH /apis/…`. */
  readonly writesAtRest: readonly string[]
  readonly renewals: number
  /** Seconds of processor time, of real time. */
  readonly cpu: number
  readonly seconds: number
  /** Megabytes: when all had converged, at the end of the rest, and after the disturbances. */
  readonly memory: { readonly converged: number; readonly rested: number; readonly recovered: number }
  readonly disturbed: ReadonlyMap<string, number>
  /** Children that are not what they were before the disturbances, each with what it was and what it is. */
  readonly different: readonly string[]
}

/** The operator as `deploy/` starts it, over many resources on a real server: at rest, then disturbed. */
export class RestRun {
  readonly #options: RestOptions
  readonly #client: KubeClient
  readonly #population: Population
  readonly #proxy: InterceptingProxy
  readonly #program: RolebookProcess
  #writes: string[] = []
  #renewals = 0
  #onRenewal: () => void = () => undefined

  static async run(plane: ControlPlane, options: RestOptions): Promise<RestReport> {
    const person = await connect({
      kubeconfig: plane.kubeconfig,
      clock: systemClock,
      logger: nopLogger,
      userAgent: 'person',
    })
    const account = plane.serviceAccountKubeconfig('rolebook-system', 'rolebook')
    const proxy = await InterceptingProxy.start(account, () => undefined)
    const config = new MountedConfig()
    const program = startAsDeployed(config, proxy.kubeconfig)
    try {
      return await new RestRun({ client: person.client, proxy, program }, options).#report()
    } finally {
      await program.stop()
      await proxy.stop()
      config.remove()
      await person.close()
    }
  }

  private constructor(
    parts: { readonly client: KubeClient; readonly proxy: InterceptingProxy; readonly program: RolebookProcess },
    options: RestOptions,
  ) {
    this.#options = options
    this.#client = parts.client
    this.#proxy = parts.proxy
    this.#program = parts.program
    this.#population = new Population(parts.client, { namespace: `rest-${options.seed}`, size: options.resources })
    parts.proxy.onWrite = ({ method, path }) => this.#note(method, path)
  }

  async #report(): Promise<RestReport> {
    const { onProgress, rest } = this.#options
    await this.#populate()
    const wanted = await this.#population.wanted()
    onProgress(`${this.#options.resources} resources are ready, with ${wanted.size} objects`)
    await this.#untilQuiet()
    const converged = this.#usage()
    this.#writes = []
    this.#renewals = 0
    const start = performance.now()
    await rest(() => this.#renewed())
    const seconds = (performance.now() - start) / 1000
    const rested = this.#usage()
    const writesAtRest = [...this.#writes]
    const renewals = this.#renewals
    onProgress(`${writesAtRest.length} writes in ${Math.round(seconds)} s of rest`)
    const disturbed = await this.#disturb()
    const different = await this.#recover(wanted)
    const memory = { converged: converged.megabytes, rested: rested.megabytes, recovered: this.#usage().megabytes }
    return { writesAtRest, renewals, cpu: rested.cpu - converged.cpu, seconds, memory, disturbed, different }
  }

  async #populate(): Promise<void> {
    const { namespace } = this.#population
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
    await this.#client.create(object, { fieldManager: 'person' })
    const account = { group: '', version: 'v1', kind: 'ServiceAccount' }
    while (!(await this.#client.get(account, { namespace, name: 'default' })));
    await this.#population.create()
    await this.#population.untilReady()
  }

  async #disturb(): Promise<ReadonlyMap<string, number>> {
    const { disturbances, seed, onProgress } = this.#options
    const [client, population, dice] = [this.#client, this.#population, new Dice(seed)]
    const disturbed = new Map<string, number>()
    for (let done = 0; done < disturbances; done++) {
      if (done % 100 === 0 && done > 0) onProgress(`${done} disturbances`)
      const children = await population.children()
      const name = await disturb({ client, population, dice, cut: () => this.#proxy.cut() }, children)
      disturbed.set(name, (disturbed.get(name) ?? 0) + 1)
    }
    return disturbed
  }

  /** What is not as it was after a while. */
  async #recover(wanted: ReadonlyMap<string, JsonValue>): Promise<readonly string[]> {
    let different: readonly string[] = []
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      await this.#population.untilReady()
      const found = await this.#population.wanted()
      const names = [...new Set([...wanted.keys(), ...found.keys()])]
      different = names
        .filter((name) => !isDeepStrictEqual(wanted.get(name), found.get(name)))
        .map((name) => `${name}: ${print(wanted.get(name))} became ${print(found.get(name))}`)
      if (different.length === 0) break
      await this.#renewed()
    }
    await this.#untilQuiet(RESTED_RENEWALS)
    return different
  }

  /** Between two renewals of the lease nothing is written, some times in a row. */
  async #untilQuiet(renewals = QUIET_RENEWALS): Promise<void> {
    for (let quiet = 0; quiet < renewals; quiet++) {
      this.#writes = []
      await this.#renewed()
      if (this.#writes.length > 0) quiet = -1
    }
  }

  #renewed(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRenewal = resolve
    })
  }

  #note(method: string, path: string): void {
    if (path.includes('/leases/')) {
      this.#renewals++
      this.#onRenewal()
    } else this.#writes.push(`${method} ${path}`)
  }

  /** Of the process, as Linux counts it. */
  #usage(): { readonly megabytes: number; readonly cpu: number } {
    const { pid } = this.#program
    return { megabytes: memoryMebibytesOf(pid), cpu: cpuSecondsOf(pid) }
  }
}

function print(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

const QUIET_RENEWALS = 3
/** Half a minute: a process that rests gives memory back after some seconds. */
const RESTED_RENEWALS = 15
const MAX_LOOKS = 60
