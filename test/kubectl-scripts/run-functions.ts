import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { upstreamFolder, writeUpstreamTree } from './upstream-tree.ts'

const SCRIPT = join(import.meta.dirname, 'run-functions.sh')

export interface FunctionResult {
  readonly name: string
  readonly passed: boolean
  readonly seconds: number
}

export interface RunOptions {
  /** Of the server, on 127.0.0.1. */
  readonly port: number
  /** Where the tree of upstream and the logs are written, one for each function and `script.log`. */
  readonly folder: string
  readonly functions: readonly string[]
  /** What each may take. */
  readonly seconds: number
}

/** All that upstream runs, in its order. */
export function functionNames(): readonly string[] {
  const script = readFileSync(join(upstreamFolder(), 'test/cmd/legacy-script.sh'), 'utf8')
  return [...script.matchAll(/^ *record_command (run_\w+)$/gm)].map(([, name = '']) => name)
}

/**
 * Runs functions of kubectl's own scripts against a server. What stands between the functions runs, too; when it fails, those
 * after it have no result.
 */
export async function runFunctions({
  port,
  folder,
  functions,
  seconds,
}: RunOptions): Promise<readonly FunctionResult[]> {
  const { tree, logs, temporary } = writeFolders(folder)
  const results = join(folder, 'results')
  const log = openSync(join(logs, 'script.log'), 'w')
  const child = spawn('bash', [SCRIPT], {
    cwd: tree,
    // Nothing of the caller's clusters. The scripts ask a terminal for its colours.
    env: {
      PATH: env.PATH,
      HOME: temporary,
      TMPDIR: temporary,
      TERM: 'xterm',
      SECURE_API_PORT: String(port),
      RESULTS: results,
      LOGS: logs,
      FUNCTIONS: functions.join(' '),
      LIMIT: String(seconds),
    },
    stdio: ['ignore', log, log],
  })
  await once(child, 'close')
  const lines = existsSync(results) ? readFileSync(results, 'utf8').trim().split('\n') : []
  return lines.map(parseResult)
}

function writeFolders(folder: string): { readonly tree: string; readonly logs: string; readonly temporary: string } {
  const [tree, logs, temporary] = [join(folder, 'tree'), join(folder, 'logs'), join(folder, 'tmp')]
  for (const path of [logs, temporary]) mkdirSync(path, { recursive: true })
  writeUpstreamTree(tree)
  // Upstream's server leaves its certificate there, and some functions put it into a kubeconfig. Any does.
  copyFileSync(join(tree, 'hack/testdata/ca/ca.crt'), join(temporary, 'apiserver.crt'))
  return { tree, logs, temporary }
}

function parseResult(line: string): FunctionResult {
  const [name = '', status, seconds] = line.split('\t')
  return { name, passed: status === '0', seconds: Number(seconds) }
}
