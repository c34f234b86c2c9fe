import type { JsonObject, JsonPath } from '../../../core/base/json.ts'
import type { Gvk } from '../../../core/kube/group-version-kind.ts'
import type { Schema } from '../../../core/schema/schema.ts'
import type { Problem } from '../../../core/yaml/diagnostic.ts'
import type { Type } from '../../expression/types/type.ts'

/** What a kind may ask while a task of it is checked, before anything runs. Paths are relative to the body. */
export interface CheckContext {
  /** The body as it is written; empty when it is not an object. */
  readonly body: JsonObject
  /** The modifiers as they are written. */
  readonly modifiers: JsonObject
  /** The kind that `apiVersion` and `kind` of the body name, where they are literal. */
  readonly gvk: Gvk | undefined
  /** The type of an object of that kind as it is in the cluster, with its status. */
  readonly objectType: Type
  /** Checks the expressions in the part of the body at `path` (the whole body by default), and returns the type of that part. */
  value(path?: JsonPath): Type
  /** Checks that the text at `path` yields true or false. Later expressions may rely on the paths that it tests. */
  condition(path: JsonPath): void
  /** Checks the fields of the body, but for those named in `except`. A field that the schema does not name may hold anything. */
  fields(schema: Schema, except?: readonly string[]): void
  /** Checks that the API server knows the kind that the body names. */
  kindIsServed(): void
  /** Checks the body as a manifest of an object of its kind. `complete`: the fields that the server requires must be there. */
  manifest(options: { readonly complete: boolean }): void
  /** Checks the body against a field at the top of the resource that triggers the role, such as `status`. */
  resourceField(name: string): void
  /** Checks that watches.yaml acknowledges objects of this kind, if a person who may create the resource could raise their rights by them. */
  mayMake(gvk: Gvk, path: JsonPath): void
  /** Gives a name a type, for later tasks. */
  define(name: string, type: Type): void
  /** Checks the tasks in a field of the body. With `variables`, in a scope of their own. */
  tasks(field: string, variables?: { readonly [name: string]: Type }): void
  /** Checks the file of tasks that a field of the body names. It sees these variables, each given at a path of the body. */
  include(field: string, variables: readonly TypedVariable[]): void
  report(path: JsonPath, problem: Problem, at?: 'key' | 'value'): void
}

/** A variable for the tasks of another file. */
export interface TypedVariable {
  readonly name: string
  readonly path: JsonPath
  readonly type: Type
}
