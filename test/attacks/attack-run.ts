import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import type { KubeClient } from '../../src/core/kube/client.ts'
import { type Condition, conditionsOf, findCondition } from '../../src/core/kube/condition.ts'
import type { Gvk } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { type Connection, connect } from '../../src/core/kube-client/connect.ts'
import { DOCUMENTS } from '../engine/expression/hostile-cases/documents.ts'
import { installCrd } from '../support/install-crd.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ATTACK, type AttackProject, CALM, crdOf, GOOD, writeAttackProject } from './attack-project.ts'

export interface AttackOptions {
  readonly kubeconfig: string
  readonly attacks: readonly string[]
  /** How many of the documents each attack meets, the largest first. */
  readonly documents: number
  /** Resources beside the attackers. */
  readonly good: number
  /** Times that the good ones are made anew, with attackers and without in turn. */
  readonly rounds: number
  readonly onProgress?: ((line: string) => void) | undefined
}

export interface AttackReport {
  readonly attacks: number
  readonly refused: number
  readonly strikes: number
  /** By reason of `Ready`. */
  readonly ends: ReadonlyMap<string, number>
  /** Attackers that were left without a condition, or with one that says nothing. */
  readonly untyped: readonly string[]
  readonly samePid: boolean
  readonly polluted: boolean
  /** Milliseconds, the longest, between two renewals of the lease. */
  readonly longestRenewal: number
  readonly renewals: number
  /** Milliseconds until all good resources were ready, by round. */
  readonly calm: readonly number[]
  readonly attacked: readonly number[]
}

const BIN = join(import.meta.dirname, '../../bin/rolebook.cjs')
const NAMESPACE: Gvk = { group: '', version: 'v1', kind: 'Namespace' }
const CRD: Gvk = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
const LEASE: Gvk = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' }
const MANAGER = { fieldManager: 'attacks' }
/** Attackers under way at once. */
const ABREAST = 8

/** Prints `POLLUTED` within 50 ms after a prototype of the process gets a property that it must not have. */
const WATCH_PROTOTYPES = `data:text/javascript,${encodeURIComponent(
  'setInterval(() => { if ({}.polluted !== undefined || [].polluted !== undefined) console.error("POLLUTED") }, 50).unref()',
)}`

/** Runs the operator as a process of its own beside attackers and good resources, and looks at what becomes of them. */
export async function runAttacks(options: AttackOptions): Promise<AttackReport> {
  const { kubeconfig } = options
  const connection = await connect({ kubeconfig, clock: systemClock, logger: nopLogger, userAgent: 'attacks' })
  const folder = temporaryFolder()
  const bench = new AttackBench(connection, options, await writeAttackProject(folder.path, options.attacks))
  try {
    return await bench.run()
  } finally {
    await bench.clear()
    await connection.close()
    folder.remove()
  }
}

class AttackBench {
  readonly #connection: Connection
  readonly #client: KubeClient
  readonly #options: AttackOptions
  readonly #project: AttackProject
  readonly #id = `attacks-${Date.now().toString(36)}`
  readonly #ready = new Map<string, Condition>()
  readonly #listeners = new Set<() => void>()
  readonly #abort = new AbortController()
  readonly #renewals = new Set<string>()
  #stderr = ''
  #exit: number | null | undefined

  constructor(connection: Connection, options: AttackOptions, project: AttackProject) {
    this.#connection = connection
    this.#client = connection.client
    this.#options = options
    this.#project = project
  }

  async run(): Promise<AttackReport> {
    const { rounds, onProgress } = this.#options
    for (const gvk of [ATTACK, GOOD]) await installCrd(this.#connection, crdOf(gvk))
    for (const name of this.#namespaces)
      await this.#client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, MANAGER)
    for (const gvk of [ATTACK, GOOD]) void this.#follow(gvk)
    const operator = this.#start()
    const strikes = [...this.#strikes()]
    const share = Math.ceil(strikes.length / rounds)
    const [calm, attacked]: [number[], number[]] = [[], []]
    try {
      await this.#round('warm', [])
      for (let round = 0; round < rounds; round++) {
        const due = strikes.slice(round * share, (round + 1) * share)
        calm.push(
          await this.#round(
            `calm${round}`,
            due.map(({ name, ...rest }) => ({ ...rest, name: `c-${name}`, attack: CALM })),
          ),
        )
        attacked.push(await this.#round(`hit${round}`, due))
        onProgress?.(
          `round ${round + 1} of ${rounds}: ${Math.round(calm.at(-1) ?? 0)} ms beside calm ones, ${Math.round(attacked.at(-1) ?? 0)} ms beside attackers`,
        )
      }
    } finally {
      operator.kill('SIGTERM')
      this.#abort.abort()
    }
    return this.#report(strikes, { calm, attacked })
  }

  async clear(): Promise<void> {
    this.#abort.abort()
    for (const name of this.#namespaces)
      await this.#client.delete(NAMESPACE, { namespace: '', name }).catch(() => undefined)
    for (const gvk of [ATTACK, GOOD])
      await this.#client.delete(CRD, { namespace: '', name: String(crdOf(gvk).metadata.name) }).catch(() => undefined)
  }

  get #namespaces(): readonly string[] {
    return [this.#id, `${this.#id}-good`]
  }

  #start() {
    const { watchesFile, rolesPath } = this.#project
    const args = [
      'run',
      '--kubeconfig',
      this.#options.kubeconfig,
      '--watches-file',
      watchesFile,
      '--roles-path',
      rolesPath,
    ]
    const lease = ['--leader-election-namespace', this.#id, '--leader-election-id', 'attacks', '--log-level', 'error']
    const env = { ...process.env, POD_NAMESPACE: this.#id, WATCH_NAMESPACE: this.#namespaces.join() }
    const child = spawn(execPath, ['--import', WATCH_PROTOTYPES, BIN, ...args, ...lease], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString()
    })
    child.on('exit', (code) => {
      this.#exit ??= this.#abort.signal.aborted || child.killed ? undefined : code
    })
    return child
  }

  *#strikes(): Generator<Strike> {
    for (const attack of this.#project.attacks.keys())
      for (const [index, text] of DOCUMENTS.toReversed().slice(0, this.#options.documents).entries())
        yield { attack, name: `${attack}-${index}`, doc: text }
  }

  /** Makes the good resources while strikes go on. Returns how long all the good ones take together. */
  async #round(name: string, strikes: readonly Strike[]): Promise<number> {
    const queue = [...strikes]
    const strikers = Array.from({ length: ABREAST }, async () => {
      for (let strike = queue.shift(); strike; strike = queue.shift()) await this.#strike(strike)
    })
    const struck = Promise.all(strikers)
    // Looked at below; until then it must not end the process, or nothing would be cleared.
    struck.catch(() => undefined)
    const start = performance.now()
    await Promise.all(Array.from({ length: this.#options.good }, (_, index) => this.#makeGood(`${name}-${index}`)))
    const took = performance.now() - start
    await struck
    return took
  }

  async #strike({ attack, name, doc }: Strike): Promise<void> {
    const metadata = { name, namespace: this.#id, labels: { attack } }
    const body = `{"apiVersion":"${ATTACK.group}/v1","kind":"Attack","metadata":${JSON.stringify(metadata)},"spec":{"doc":${doc}}}`
    // A server takes no document that nests too deeply: there is nothing to attack with then.
    const made = await this.#client.create(JSON.parse(body), MANAGER).catch((error: Error) => error)
    if (made instanceof Error) this.#ready.set(`Attack ${name}`, refusedBy(made))
    else await this.#until(`Attack ${name}`, (condition) => condition !== undefined)
  }

  async #makeGood(name: string): Promise<void> {
    const metadata = { name, namespace: `${this.#id}-good` }
    await this.#client.create(
      { apiVersion: `${GOOD.group}/v1`, kind: 'Good', metadata, spec: { size: 20 } } as KubeObject,
      MANAGER,
    )
    await this.#until(`Good ${name}`, (condition) => condition?.status === 'True')
  }

  #until(name: string, holds: (condition: Condition | undefined) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () =>
          reject(
            new Error(
              `${name} never came to its end (operator: ${this.#exit === undefined ? 'alive' : `ended with ${this.#exit}`}): ${JSON.stringify(this.#ready.get(name))}\n${this.#stderr.slice(-2000)}`,
            ),
          ),
        180_000,
      )
      const look = (): void => {
        if (!holds(this.#ready.get(name))) return
        clearTimeout(timer)
        this.#listeners.delete(look)
        resolve()
      }
      this.#listeners.add(look)
      look()
    })
  }

  /** Keeps up with the conditions of a kind, and with the lease. */
  async #follow(gvk: Gvk): Promise<void> {
    const { signal } = this.#abort
    if (gvk === GOOD) void this.#probeLease()
    while (!signal.aborted) {
      try {
        for await (const event of this.#client.watch(gvk, { signal })) {
          if (event.type === 'ERROR' || event.type === 'BOOKMARK') continue
          const condition = findCondition(conditionsOf(event.object), 'Ready')
          if (condition) this.#ready.set(`${gvk.kind} ${event.object.metadata.name}`, condition)
          for (const listener of this.#listeners) listener()
        }
      } catch {
        if (!signal.aborted) await systemClock.sleep(200, signal)
      }
    }
  }

  async #probeLease(): Promise<void> {
    const { signal } = this.#abort
    while (!signal.aborted) {
      const lease = await this.#client
        .get(LEASE, { namespace: this.#id, name: 'attacks' }, { signal })
        .catch(() => undefined)
      const { renewTime } = (lease?.spec ?? {}) as { renewTime?: string }
      if (renewTime) this.#renewals.add(renewTime)
      await systemClock.sleep(250, signal)
    }
  }

  #report(strikes: readonly Strike[], times: { calm: readonly number[]; attacked: readonly number[] }): AttackReport {
    const ends = new Map<string, number>()
    const untyped: string[] = []
    for (const { name, attack } of strikes) {
      const condition = this.#ready.get(`Attack ${name}`)
      const reason = condition?.reason ?? 'none'
      ends.set(reason, (ends.get(reason) ?? 0) + 1)
      const isTyped =
        condition?.status === 'True' || /[A-Z]\d{3,4}|is missing|no document/.test(String(condition?.message))
      if (!isTyped) untyped.push(`${this.#project.attacks.get(attack)}: ${JSON.stringify(condition)}`)
    }
    const renewed = [...this.#renewals].map((time) => Date.parse(time)).sort((left, right) => left - right)
    const gaps = renewed.slice(1).map((time, index) => time - (renewed[index] ?? time))
    return {
      attacks: this.#project.attacks.size,
      refused: this.#project.refused.length,
      strikes: strikes.length,
      ends,
      untyped,
      samePid: this.#exit === undefined,
      polluted: this.#stderr.includes('POLLUTED'),
      longestRenewal: Math.max(0, ...gaps),
      renewals: renewed.length,
      ...times,
    }
  }
}

interface Strike {
  readonly attack: string
  readonly name: string
  /** As JSON: what parses it is part of what is attacked. */
  readonly doc: string
}

function refusedBy({ message }: Error): Condition {
  return {
    type: 'Ready',
    status: 'False',
    reason: 'RefusedByServer',
    message: `no document: ${message.slice(0, 100)}`,
  } as Condition
}
