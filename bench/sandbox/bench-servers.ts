import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { build } from 'esbuild'
import type { ApiServerAddress } from '../../src/sandbox/apiserver/api-server.ts'
import { MeasuredServer } from './measured-server.ts'
import type { ServerKind, ServerUsage } from './server.ts'

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

/** A server in a process of its own that was just started. */
export interface StartedServer {
  readonly server: MeasuredServer
  /** From the start of the process to its being ready. */
  readonly milliseconds: number
  /** From its being ready to the end of its first answer, a list: what was only put off would be seen here. */
  readonly firstAnswer: number
}

export async function startServer(kind: ServerKind, folder: string): Promise<StartedServer> {
  const start = performance.now()
  const child = fork(join(folder, 'server.mjs'), [kind], { execArgv: ['--expose-gc'] })
  const [{ url, token, ca }] = (await once(child, 'message')) as [ApiServerAddress]
  const milliseconds = performance.now() - start
  const server = new MeasuredServer({
    url,
    token,
    ...(ca !== '' && { tls: { ca } }),
    usage: () => usageOf(child),
    stop: () => kill(child),
  })
  const ready = performance.now()
  await server.send({ method: 'GET', path: '/apis/apps/v1/namespaces/default/deployments' })
  return { server, milliseconds, firstAnswer: performance.now() - ready }
}

async function usageOf(child: ChildProcess): Promise<ServerUsage> {
  child.send('usage')
  const [usage] = (await once(child, 'message')) as [ServerUsage]
  return usage
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
