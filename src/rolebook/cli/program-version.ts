import { readFileSync } from 'node:fs'
import process from 'node:process'

declare global {
  var ROLEBOOK_VERSION: string | undefined
}

/** The version of this program: compiled into the bundle, else read from `package.json`. */
export function programVersion(): string {
  if (globalThis.ROLEBOOK_VERSION !== undefined) return globalThis.ROLEBOOK_VERSION
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  return (manifest as { version: string }).version
}

/** What `rolebook version` and `rolebook --version` print. */
export function versionLine(): string {
  return `rolebook ${programVersion()} (Node ${process.version})`
}

/** What the program calls itself towards an API server. */
export function userAgent(part: string): string {
  return `rolebook/${programVersion()} (${part})`
}
