import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A folder in which a ConfigMap is mounted, written as the kubelet's AtomicWriter does it. */
export class ConfigMapMount {
  readonly path: string
  #version = 0

  constructor(path: string) {
    this.path = path
    mkdirSync(path, { recursive: true })
  }

  file(name: string): string {
    return join(this.path, name)
  }

  /** A new folder with the files, then `..data` swapped to it by a rename; the former folder goes. */
  publish(files: Readonly<Record<string, string>>): void {
    const former = readdirSync(this.path).filter((name) => /^\.\.[0-9]/.test(name))
    const version = `..${++this.#version}`
    mkdirSync(join(this.path, version))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.path, version, name), text)
    symlinkSync(version, join(this.path, '..data_tmp'))
    renameSync(join(this.path, '..data_tmp'), join(this.path, '..data'))
    const linked = new Set(readdirSync(this.path))
    for (const name of Object.keys(files)) {
      if (!linked.has(name)) symlinkSync(join('..data', name), join(this.path, name))
    }
    for (const name of former) rmSync(join(this.path, name), { recursive: true })
  }
}
