/** The server under test, in a process of its own. It sends its address to its parent, and its health when it is asked. */
import process from 'node:process'
import { systemClock } from '../../../src/core/base/clock.ts'
import { parseYamlBody } from '../../../src/core/yaml/parse-body.ts'
import { ApiServer } from '../../../src/sandbox/apiserver/api-server.ts'
import { builtinSchemas } from '../apiserver/sandbox.ts'

/** What the server's process says of itself. */
export interface ServerHealth {
  /** Keys that every object has now, and should not. */
  readonly polluted: readonly string[]
  readonly megabytes: number
}

const NOTHING: Record<string, unknown> = {}

function healthOf(): ServerHealth {
  const inherited: string[] = []
  for (const key in NOTHING) inherited.push(key)
  if (NOTHING.polluted !== undefined) inherited.push('polluted')
  for (const key in [] as unknown[]) inherited.push(key)
  return { polluted: inherited, megabytes: Math.round(process.memoryUsage().rss / 1024 / 1024) }
}

const server = new ApiServer({ schemas: builtinSchemas(), clock: systemClock, tls: false, parseYaml: parseYamlBody })
const address = await server.start()
process.on('message', () => process.send?.(healthOf()))
process.on('disconnect', () => process.exit(0))
process.send?.(address)
