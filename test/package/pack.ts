import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { TemporaryFolder } from '../support/temporary-folder.ts'
import { npmEnvironment } from './npm-environment.ts'

const ROOT = join(import.meta.dirname, '../..')
const CLONED = ['bin', 'src', 'package.json', 'package-lock.json', 'tsconfig.json', 'LICENSE', 'README.md']

/** What `npm pack` makes of a clone in which `npm ci` has run. @returns the path of the tarball */
export function pack(folder: TemporaryFolder): string {
  const clone = folder.at('clone')
  for (const path of CLONED) cpSync(join(ROOT, path), join(clone, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
  execFileSync('npm', ['pack', '--pack-destination', folder.path], {
    cwd: clone,
    env: npmEnvironment({ cache: folder.at('cache') }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [tarball] = readdirSync(folder.path).filter((name) => name.endsWith('.tgz'))
  if (tarball === undefined) throw new Error('npm pack made no tarball')
  return folder.at(tarball)
}
