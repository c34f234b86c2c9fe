/**
 * Prints the list of what is in the bundle, in the format CycloneDX: every dependency, and none that is for development alone.
 *
 * `npm sbom --omit dev` leaves out what is needed by both (npm 11.19), so npm is shown a project without the latter.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devDependencies?: object }>>
}

const root = join(import.meta.dirname, '..')
const read = (name: string): object => JSON.parse(readFileSync(join(root, name), 'utf8'))
const { devDependencies: _ours, ...manifest } = read('package.json') as { devDependencies?: object }
const { packages, ...lock } = read('package-lock.json') as Lock
const kept = Object.entries(packages).filter(([, { dev }]) => dev !== true)
const shown = kept.map(([path, { devDependencies: _theirs, ...one }]) => [path, one])

const folder = mkdtempSync(join(tmpdir(), 'rolebook-sbom-'))
try {
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages: Object.fromEntries(shown) }))
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  process.stdout.write(execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }))
} finally {
  rmSync(folder, { recursive: true })
}
