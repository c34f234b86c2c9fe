import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { temporaryFolder } from '../support/rolebook-process.ts'

interface ConfigMap {
  readonly metadata: { readonly name: string }
  readonly data: Readonly<Record<string, string>>
}

/** The ConfigMaps of `deploy/config.yaml`, mounted as the kubelet does it where the Deployment wants them. */
export class MountedConfig {
  readonly #folder = temporaryFolder()
  readonly #data = new Map<string, Readonly<Record<string, string>>>()
  #versions = 0

  constructor() {
    const documents = parseAllDocuments(readFileSync('deploy/config.yaml', 'utf8'))
    for (const { metadata, data } of documents.map((one) => one.toJS() as ConfigMap)) {
      this.#mount(metadata.name.replace('rolebook-', ''), data)
    }
  }

  /** What stands in place of `/etc/rolebook`. */
  get path(): string {
    return this.#folder.path
  }

  /** As `kubectl edit configmap` and the kubelet: a new folder with all keys, then `..data` swapped to it. */
  edit(mount: 'watches' | 'roles', key: string, change: (text: string) => string): void {
    const data = this.#data.get(mount) ?? {}
    const text = data[key] ?? ''
    const changed = change(text)
    if (changed === text) throw new Error(`the edit of ${key} changes nothing`)
    this.#mount(mount, { ...data, [key]: changed })
  }

  remove(): void {
    this.#folder.remove()
  }

  #mount(mount: string, data: Readonly<Record<string, string>>): void {
    const place = join(this.#folder.path, mount)
    const version = `..version_${++this.#versions}`
    mkdirSync(join(place, version), { recursive: true })
    for (const [key, text] of Object.entries(data)) writeFileSync(join(place, version, key), text)
    symlinkSync(version, join(place, '..data_tmp'))
    renameSync(join(place, '..data_tmp'), join(place, '..data'))
    if (!this.#data.has(mount)) for (const key of Object.keys(data)) symlinkSync(join('..data', key), join(place, key))
    else rmSync(join(place, `..version_${this.#versions - 1}`), { recursive: true, force: true })
    this.#data.set(mount, data)
  }
}
