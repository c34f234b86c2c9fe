import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { arch, platform } from 'node:process'

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/rolebook')

/** The program of another Node, which npm installs once for all runs: 60 MB over the network. */
export function nodeOfVersion(version: string): string {
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`
  const folder = join(CACHE, `node-${version}`)
  const program = join(folder, 'node_modules', name, 'bin/node')
  if (!existsSync(program))
    execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', `${name}@${version}`])
  return program
}
