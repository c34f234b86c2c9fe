import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ProjectOptions } from '../../src/rolebook/config/load-project.ts'
import { SMALL_KINDS } from './small-task-kinds.ts'

/** A project in a temporary folder of its own. */
export class ProjectFolder {
  readonly root: string

  private constructor(root: string) {
    this.root = root
  }

  static async create(files: { readonly [path: string]: string | Uint8Array } = {}): Promise<ProjectFolder> {
    const folder = new ProjectFolder(await mkdtemp(join(tmpdir(), 'rolebook-project-')))
    await mkdir(folder.path('roles'))
    for (const [path, content] of Object.entries(files)) await folder.write(path, content)
    return folder
  }

  /** Options with the vocabulary of `small-task-kinds.ts` and an empty environment. */
  get options(): ProjectOptions {
    return {
      watchesFile: this.path('watches.yaml'),
      rolesPath: this.path('roles'),
      kinds: SMALL_KINDS,
      environment: {},
    }
  }

  path(path: string): string {
    return join(this.root, path)
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(this.path(path)), { recursive: true })
    await writeFile(this.path(path), content)
  }

  async remove(path: string): Promise<void> {
    await rm(this.path(path), { recursive: true })
  }

  async move(from: string, to: string): Promise<void> {
    await rename(this.path(from), this.path(to))
  }

  async link(path: string, target: string): Promise<void> {
    await mkdir(dirname(this.path(path)), { recursive: true })
    await symlink(target, this.path(path))
  }

  /**
   * Mounts files as the kubelet mounts a ConfigMap: they lie in a folder named by time, `..data` links to it, and each name
   * links through `..data`. Called again, it swaps `..data` in one step and removes the old folder.
   */
  async mount(place: string, files: { readonly [name: string]: string }, generation: number): Promise<void> {
    const version = `..2026_01_01_${generation}`
    for (const [name, content] of Object.entries(files)) await this.write(join(place, version, name), content)
    await symlink(version, this.path(join(place, '..data_tmp')))
    await rename(this.path(join(place, '..data_tmp')), this.path(join(place, '..data')))
    for (const name of Object.keys(files)) {
      await symlink(join('..data', name), this.path(join(place, name))).catch(() => undefined)
    }
    await rm(this.path(join(place, `..2026_01_01_${generation - 1}`)), { recursive: true, force: true })
  }

  /** Paths of diagnostics and projects as they are below the root. */
  relative(path: string): string {
    return path.replace(`${this.root}/`, '')
  }

  async delete(): Promise<void> {
    await rm(this.root, { recursive: true, force: true })
  }
}

export const WATCHES = '- {group: example.com, version: v1, kind: Web, role: web}\n'
export const ROLE = 'tasks:\n  - say: ${spec.size}\n'

export const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: webs.example.com}
spec:
  group: example.com
  names: {kind: Web, plural: webs}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties: {spec: {type: object}, status: {type: object}, rules: {type: array, items: {type: object}}}
`

/** Roles for two versions of one kind, and the CRD that serves both. */
export const TWO_VERSIONS = `- {group: example.com, version: v1, kind: Web, role: old, selector: {matchLabels: {age: old}}}
- {group: example.com, version: v2, kind: Web, role: new, selector: {matchLabels: {age: new}}}
`
export const TWO_VERSIONS_CRD = `${CRD}${CRD.slice(CRD.indexOf('    - name')).replace('v1', 'v2').replace('storage: true', 'storage: false')}`

export const SAMPLE = 'apiVersion: example.com/v1\nkind: Web\nmetadata: {name: sample}\nspec: {size: 1}\n'
