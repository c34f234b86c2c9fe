import { execFileSync } from 'node:child_process'
import process from 'node:process'

/** Gives what `go` prints in a folder, for the target that Helm's renderer is built for: what is listed is what is compiled. */
export function runGo(folder: string, args: readonly string[]): string {
  const target = { GOOS: 'wasip1', GOARCH: 'wasm', CGO_ENABLED: '0' }
  const env = { ...process.env, ...target, GOFLAGS: '-mod=readonly', GOWORK: 'off' }
  return execFileSync('go', args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}
