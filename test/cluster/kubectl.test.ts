import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stdout } from 'node:process'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'chai'
import type { Context } from 'mocha'
import { systemClock } from '../../src/core/base/clock.ts'
import { BuiltinSchemas } from '../../src/core/schema/builtin-schemas.ts'
import { parseYamlBody } from '../../src/core/yaml/parse-body.ts'
import { ApiServer } from '../../src/sandbox/apiserver/api-server.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import { kubeconfigText } from '../control-plane/kubeconfig.ts'
import { connectToCluster } from '../sandbox/contract/server-under-test.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Command, KubectlSession, type Outcome } from './kubectl/kubectl-session.ts'
import { sharedControlPlane } from './shared-control-plane.ts'

/** Commands that change nothing. */
const READS = /^kubectl (api-resources|auth can-i|describe|events|explain|get|rollout history) (?!.*\| kubectl )/
/**
 * How often both are asked what is there: controllers of one may have come further than those of the other. Commands
 * that write run once, and so does what is known to differ.
 */
const READ_ATTEMPTS = 15

const FOLDER = join(import.meta.dirname, 'kubectl/commands')
const SCHEMAS = new URL('../../src/core/schema/builtin-schemas.generated.bin', import.meta.url)
const topics = readdirSync(FOLDER).map((file) => file.replace(/\.ts$/, ''))
const sessions = await Promise.all(
  topics.map(async (topic): Promise<readonly [string, readonly Command[]]> => {
    const { commands }: { commands: readonly Command[] } = await import(`./kubectl/commands/${topic}.ts`)
    return [topic, commands]
  }),
)

describe('kubectl prints and asks the same on the sandbox and on a real control plane', () => {
  const counts = { commands: 0, requests: 0, explained: 0, differences: 0 }
  after(() => {
    const { commands, requests, explained, differences } = counts
    const text = `${commands} commands, ${requests} requests, ${differences} differences, ${explained} explained ones`
    if (commands > 0) stdout.write(`\n  kubectl: ${text}\n`)
  })

  for (const [topic, commands] of sessions) {
    describe(topic, function () {
      this.timeout(300_000)
      const folder = temporaryFolder()
      let servers: Servers

      before(async function () {
        servers = await Servers.start(this, { folder: folder.path, namespace: `kubectl-${topic}` })
      })
      after(async () => {
        await servers?.stop()
        folder.remove()
      })

      for (const [index, command] of commands.entries()) {
        it(`${index + 1}. ${command.run.split('\n', 1)[0]}`, async () => {
          const { real, sandbox, requests } = await servers.run(command)
          counts.commands++
          counts.requests += requests
          if (command.differs !== undefined) {
            counts.explained++
            return
          }
          counts.differences++
          expect(sandbox, 'the sandbox (actual) and the real server (expected)').to.deep.equal(real)
          counts.differences--
        })
      }
    })
  }
})

/** What is compared of both. */
interface Outcomes {
  /** How many the real server was sent. */
  readonly requests: number
  readonly real: Outcome
  readonly sandbox: Outcome
}

/** Both servers, with a namespace of one name and a shell for each. */
class Servers {
  readonly #real: KubectlSession
  readonly #sandbox: KubectlSession
  readonly #stop: () => Promise<void>

  private constructor(sessions: readonly [KubectlSession, KubectlSession], stop: () => Promise<void>) {
    this.#real = sessions[0]
    this.#sandbox = sessions[1]
    this.#stop = stop
  }

  static async start(context: Context, place: { folder: string; namespace: string }): Promise<Servers> {
    const plane = await sharedControlPlane(context)
    const schemas = BuiltinSchemas.decode(readFileSync(SCHEMAS))
    const server = new ApiServer({ schemas, clock: systemClock, parseYaml: parseYamlBody, authorization: 'rbac' })
    const { url, token, ca } = await server.start()
    const kubeconfig = join(place.folder, 'sandbox.conf')
    writeFileSync(kubeconfig, kubeconfigText({ server: url, ca, user: 'admin', credentials: { token } }))
    const kubeconfigs = { real: plane.kubeconfig, sandbox: kubeconfig }
    await Promise.all(Object.values(kubeconfigs).map((path) => createNamespace(path, place.namespace)))
    const session = (name: 'real' | 'sandbox'): KubectlSession => sessionOf(plane, place, kubeconfigs[name], name)
    return new Servers([session('real'), session('sandbox')], () => server.stop())
  }

  /** A command that only reads is run until both answer alike, a few times at most. */
  async run(command: Command): Promise<Outcomes> {
    const attempts = READS.test(command.run) && command.differs === undefined ? READ_ATTEMPTS : 1
    let outcomes = await this.#runOnce(command)
    for (let made = 1; made < attempts && !isDeepStrictEqual(outcomes.sandbox, outcomes.real); made++)
      outcomes = await this.#runOnce(command)
    return outcomes
  }

  stop(): Promise<void> {
    return this.#stop()
  }

  async #runOnce(command: Command): Promise<Outcomes> {
    const [real, sandbox] = await Promise.all([this.#real.run(command), this.#sandbox.run(command)])
    const ignored = command.requests === 'vary' ? { requests: [] } : {}
    return { requests: real.requests.length, real: { ...real, ...ignored }, sandbox: { ...sandbox, ...ignored } }
  }
}

async function createNamespace(kubeconfig: string, namespace: string): Promise<void> {
  const connection = connectToCluster(kubeconfig)
  await connection.createNamespace(namespace)
  await connection.close()
}

function sessionOf(
  { kubectl }: ControlPlane,
  { folder, namespace }: { folder: string; namespace: string },
  kubeconfig: string,
  name: string,
): KubectlSession {
  return new KubectlSession({ folder: join(folder, name), kubectl, kubeconfig, namespace })
}
