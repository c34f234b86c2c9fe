import { createRequire } from 'node:module'

/**
 * Node's HTTP server. An `import` reads all that `node:http` exports, and one of these loads Node's own fetch and WebSocket
 * when it is read: a fifth of what a bare server needs to start.
 */
export const { createServer } = createRequire(import.meta.url)('node:http') as typeof import('node:http')
