import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { ConfigMapMount } from '../support/config-map-mount.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface ConfigMap {
  readonly metadata: { readonly name: string }
  readonly data: Readonly<Record<string, string>>
}

type Mount = 'watches' | 'roles'

/** The ConfigMaps of `deploy/config.yaml`, mounted as the kubelet does it where the Deployment wants them. */
export class MountedConfig {
  readonly #folder = temporaryFolder()
  readonly #mounts: ReadonlyMap<string, ConfigMapMount>
  readonly #data: Map<string, Readonly<Record<string, string>>>

  constructor() {
    const documents = parseAllDocuments(readFileSync('deploy/config.yaml', 'utf8'))
    const maps = documents.map((one) => one.toJS() as ConfigMap)
    this.#data = new Map(maps.map(({ metadata, data }) => [metadata.name.replace('rolebook-', ''), data]))
    this.#mounts = new Map([...this.#data.keys()].map((name) => [name, new ConfigMapMount(join(this.path, name))]))
    for (const [name, data] of this.#data) this.#mounts.get(name)?.publish(data)
  }

  /** What stands in place of `/etc/rolebook`. */
  get path(): string {
    return this.#folder.path
  }

  /** As `kubectl edit configmap` and the kubelet. */
  edit(mount: Mount, key: string, change: (text: string) => string): void {
    const data = this.#data.get(mount) ?? {}
    const text = data[key] ?? ''
    const changed = change(text)
    if (changed === text) throw new Error(`the edit of ${key} changes nothing`)
    this.#data.set(mount, { ...data, [key]: changed })
    this.#mounts.get(mount)?.publish({ ...data, [key]: changed })
  }

  remove(): void {
    this.#folder.remove()
  }
}
