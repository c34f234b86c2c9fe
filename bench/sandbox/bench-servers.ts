import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { build } from 'esbuild'
import { Agent, request } from 'undici'
import type { ApiServerAddress } from '../../src/sandbox/apiserver/api-server.ts'
import type { Rate } from './measure-writes.ts'
import type { ServerUsage } from './server.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Bundles the servers into a folder, as a release is: what is measured is not the loading of sources. */
export async function bundleServers(folder: string): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, 'server.ts')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    minify: true,
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
  })
  const schemas = 'builtin-schemas.generated.bin'
  copyFileSync(join(ROOT, 'src/core/schema', schemas), join(folder, schemas))
}

/** Milliseconds until `rolebook sandbox` of a release says where it listens, for the project of this repository. */
export async function measureCommand(folder: string): Promise<number> {
  const built = spawn(execPath, [join(ROOT, 'bin/build.ts'), '--out', folder], { stdio: 'ignore' })
  await once(built, 'exit')
  const start = performance.now()
  const options = ['sandbox', '--no-operator', '--kubeconfig', join(folder, 'kubeconfig')]
  const child = spawn(execPath, [join(folder, 'rolebook.mjs'), ...options], { cwd: ROOT })
  for await (const chunk of child.stdout) if (String(chunk).includes('Kubernetes API at')) break
  const milliseconds = performance.now() - start
  child.kill('SIGKILL')
  return milliseconds
}

/** A server in a process of its own: the sandbox, or what does nothing but parse and print JSON. */
export class BenchServer {
  readonly url: string
  readonly token: string
  /** From the start of the process to its being ready. */
  readonly milliseconds: number
  /** From its being ready to the end of its first answer, a list: what was only put off would be seen here. */
  firstAnswer = 0
  readonly #child: ChildProcess
  readonly #agent = new Agent({ connections: 16 })

  static async start(kind: 'sandbox' | 'echo', folder: string): Promise<BenchServer> {
    const start = performance.now()
    const child = fork(join(folder, 'server.mjs'), [kind], { execArgv: ['--expose-gc'] })
    const [address] = (await once(child, 'message')) as [ApiServerAddress]
    const server = new BenchServer(child, address, performance.now() - start)
    const ready = performance.now()
    await server.send('GET', '/apis/apps/v1/namespaces/default/deployments')
    server.firstAnswer = performance.now() - ready
    return server
  }

  private constructor(child: ChildProcess, { url, token }: ApiServerAddress, milliseconds: number) {
    this.#child = child
    this.url = url
    this.token = token
    this.milliseconds = milliseconds
  }

  async send(method: 'GET' | 'POST' | 'PUT', path: string, body?: string): Promise<string> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' }
    const answer = await request(this.url + path, { method, headers, body: body ?? null, dispatcher: this.#agent })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`)
    return text
  }

  /** Sends many requests, 16 at a time. Returns how many a second of the clock, and of the server's CPU. */
  async sendAll(method: 'POST' | 'PUT', requests: readonly (readonly [path: string, body: string])[]): Promise<Rate> {
    const before = await this.usage()
    const start = performance.now()
    let next = 0
    const work = async (): Promise<void> => {
      for (let mine = requests[next++]; mine; mine = requests[next++]) await this.send(method, ...mine)
    }
    await Promise.all(Array.from({ length: 16 }, work))
    const seconds = (performance.now() - start) / 1000
    const { cpu } = await this.usage()
    return { perSecond: requests.length / seconds, perCpuSecond: requests.length / (cpu - before.cpu) }
  }

  async usage(): Promise<ServerUsage> {
    this.#child.send('usage')
    const [usage] = (await once(this.#child, 'message')) as [ServerUsage]
    return usage
  }

  async stop(): Promise<void> {
    await this.#agent.destroy()
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }
}
