import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { SourceFile } from '../../core/yaml/source-file.ts'
import type { SourceFolder } from '../migrate/ansible-files.ts'

/** Files below a folder; a link that leads out of it is not a file. */
export class FolderFiles implements SourceFolder {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  read(path: string): SourceFile | undefined {
    const whole = join(this.#root, path)
    try {
      const inside = relative(realpathSync(this.#root), realpathSync(whole))
      if (inside.startsWith(`..${sep}`)) return undefined
      return new SourceFile(whole, readFileSync(whole, 'utf8'))
    } catch {
      return undefined
    }
  }

  list(folder: string): readonly string[] {
    try {
      return readdirSync(join(this.#root, folder)).sort()
    } catch {
      return []
    }
  }
}
