import type { JsonObject } from '../base/json.ts'
import type { KubeObject } from '../kube/object.ts'
import type { Role } from '../role/role.ts'
import type { Diagnostic } from '../yaml/diagnostic.ts'
import type { Watch } from './watch.ts'

/** A user's project as one frozen snapshot: what an operator runs. */
export interface Project {
  /** Of all files it was made of: equal hashes are equal projects. */
  readonly hash: string
  /** In the order of `watches.yaml`. */
  readonly watches: readonly WatchedRole[]
  /** CustomResourceDefinitions of the roles that are used. */
  readonly crds: readonly KubeObject[]
  readonly samples: readonly SampleFile[]
}

export interface WatchedRole {
  readonly watch: Watch
  /** Compiled for this entry: its kind and its variables. */
  readonly role: Role
}

export interface SampleFile {
  readonly path: string
  readonly objects: readonly (KubeObject & JsonObject)[]
}

/** A snapshot of the files, and what became of it. */
export interface ProjectResult {
  /** Of the files, whether or not a project could be made of them. */
  readonly hash: string
  /** Absent when there is an error. */
  readonly project?: Project | undefined
  /** Everything that is wrong, warnings included, by file and line. */
  readonly diagnostics: readonly Diagnostic[]
}
