import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.gz': 'application/gzip',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
}

/** The files of a folder on a free port of loopback, all with the same headers. `a.html` is found for `a`. */
export class StaticServer {
  readonly url: string
  readonly #server: Server

  static async start(folder: string, headers: Readonly<Record<string, string>>): Promise<StaticServer> {
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost')
      const path = fileOf(normalize(pathname))
      readFile(join(folder, path)).then(
        (bytes) => response.writeHead(200, { ...headers, 'content-type': TYPES[extname(path)] ?? '' }).end(bytes),
        () => response.writeHead(404).end(),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new StaticServer(server)
  }

  private constructor(server: Server) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

function fileOf(path: string): string {
  if (path.endsWith('/')) return `${path}index.html`
  return extname(path) === '' ? `${path}.html` : path
}
