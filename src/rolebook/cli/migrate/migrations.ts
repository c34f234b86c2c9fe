import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Gvk } from '../../../core/kube/group-version-kind.ts'
import { loadBuiltinSchemas } from '../../../sandbox/cluster/load-builtin-schemas.ts'
import { migrateKro } from '../../migrate/kro/migrate-kro.ts'
import { migrateKustomize } from '../../migrate/kustomize/migrate-kustomize.ts'
import { migrateAnsible } from '../../migrate/migrate-ansible.ts'
import type { Migration } from '../../migrate/migration.ts'
import { type Invocation, UsageError } from '../command.ts'
import { FolderFiles } from '../folder-files.ts'
import { knownKinds } from './known-kinds.ts'
import { migrateHelm } from './migrate-helm.ts'
import { yamlSources } from './read-sources.ts'

type Migrate = (path: string, invocation: Invocation) => Migration | Promise<Migration>

/** What can be moved over, by the name that a person gives. */
export const MIGRATIONS: Readonly<Record<string, Migrate>> = {
  ansible: (path, invocation) => {
    if (!existsSync(path)) throw new UsageError(`cannot read ${path}: there is no such folder`)
    return migrateAnsible(new FolderFiles(path), { adopt: invocation.flag('adopt') })
  },
  kro: (path) => migrateKro(yamlSources(path), knownKinds(loadBuiltinSchemas())),
  helm: (path, invocation) => migrateHelm(path, (name) => newKind(name, invocation)),
  kustomize: (path, invocation) => {
    if (!existsSync(path)) throw new UsageError(`cannot read ${path}: there is no such folder`)
    const gvk = newKind(basename(resolve(path)), invocation)
    return migrateKustomize(new FolderFiles(path), { gvk, known: knownKinds(loadBuiltinSchemas()) })
  },
}

/** The kind that a person names, or one that is called as what they move over. */
function newKind(name: string, { text }: Invocation): Gvk {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => /^[A-Za-z]/.test(word))
  const kind = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return { group: text('group') ?? 'example.com', version: 'v1alpha1', kind: text('kind') ?? (kind || 'Thing') }
}
