import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { builtProgram } from '../support/built-program.ts'
import type { TemporaryFolder } from '../support/temporary-folder.ts'
import { npmEnvironment } from './npm-environment.ts'

const ROOT = join(import.meta.dirname, '../..')
const DESCRIPTION = ['package.json', 'LICENSE', 'README.md']
const CLONED = ['bin', 'src', 'package-lock.json', 'tsconfig.json', ...DESCRIPTION]

/** What `npm pack` makes of a clone in which `npm ci` has run. @returns the path of the tarball */
export function pack(folder: TemporaryFolder): string {
  const clone = folder.at('clone')
  for (const path of CLONED) cpSync(join(ROOT, path), join(clone, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
  return npmPack(folder, clone)
}

/** The same from the program that all tests share, which is not built once more. @returns the path of the tarball */
export function packBuiltProgram(folder: TemporaryFolder): string {
  const built = folder.at('built')
  for (const path of ['bin/rolebook.cjs', ...DESCRIPTION]) cpSync(join(ROOT, path), join(built, path))
  cpSync(builtProgram(), join(built, 'dist'), { recursive: true })
  return npmPack(folder, built, '--ignore-scripts')
}

function npmPack(folder: TemporaryFolder, cwd: string, ...flags: readonly string[]): string {
  execFileSync('npm', ['pack', '--pack-destination', folder.path, ...flags], {
    cwd,
    env: npmEnvironment({ cache: folder.at('cache') }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [tarball] = readdirSync(folder.path).filter((name) => name.endsWith('.tgz'))
  if (tarball === undefined) throw new Error('npm pack made no tarball')
  return folder.at(tarball)
}
