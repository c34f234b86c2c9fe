import { createServer } from '../../../core/base/node-http.ts'
import { untilAborted } from '../../../core/base/until-aborted.ts'
import type { ProgramFlags } from './program-flags.ts'

const DEFAULT_URL = 'http://127.0.0.1:2379'

/** The flags that have an effect. */
export const ETCD_FLAGS: Readonly<Record<string, string>> = {
  'listen-client-urls': `where to say that all is well (${DEFAULT_URL})`,
}

/** In place of etcd: says that it is well, and keeps nothing. The API server needs none. */
export async function runEtcd(flags: ProgramFlags, { stopped }: { readonly stopped: AbortSignal }): Promise<void> {
  const [url = DEFAULT_URL] = flags.list('listen-client-urls')
  const { hostname, port } = new URL(url)
  const server = createServer(({ url: path }, response) => {
    const isHealth = path === '/health' || path === '/readyz' || path === '/livez'
    response.writeHead(isHealth ? 200 : 404, { 'content-type': 'application/json' })
    response.end(isHealth ? '{"health":"true"}' : '')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(Number(port), hostname.replace(/^\[|\]$/g, ''), resolve)
  })
  await untilAborted(stopped)
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}
