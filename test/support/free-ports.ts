import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/**
 * Ports of the loopback interface for programs that must be given one. The system gives those from 32,768 on to whatever asks for any, so
 * these are below: nothing gets one of them between this call and the start of the program.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const held = new Map<number, Server>()
  while (held.size < count) {
    const port = randomInt(10_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (isFree) held.set(port, server)
  }
  await Promise.all([...held.values()].map((server) => new Promise((closed) => server.close(closed))))
  return [...held.keys()]
}
