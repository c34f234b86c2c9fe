import type { Gvk } from '../../../core/kube/group-version-kind.ts'

/** The words that the files of a new role are made of. */
export interface Words {
  readonly gvk: Gvk
  readonly schemas: string
  readonly kind: string
  readonly singular: string
  readonly plural: string
  readonly apiVersion: string
}

/** What differs between roles that begin with another workload. All texts are YAML without indentation, and end with a line break. */
export interface RoleTemplate {
  /** One line, for the question which template it is to be. */
  readonly summary: string
  /** The list of tasks. */
  tasks(words: Words): string
  /** Fields that `spec` must have. */
  readonly required: readonly string[]
  /** Properties of the schema of `spec`. */
  readonly spec: string
  /** Properties of the schema of `status`, beside those of every kind. */
  readonly status: string
  /** The `spec` of the sample. */
  readonly sample: string
  /** The list of steps. */
  test(words: Words): string
}

/** How a test names the resource of its sample, and a child of its name. */
export function namesIn(
  { apiVersion, kind, singular }: Words,
  child: { readonly apiVersion: string; readonly kind: string },
) {
  return {
    resource: `apiVersion: ${apiVersion}, kind: ${kind}, name: ${singular}-sample`,
    workload: `apiVersion: ${child.apiVersion}, kind: ${child.kind}, name: ${singular}-sample`,
  }
}

/** How each test ends: nothing is written at rest, and nothing is left of a resource that is deleted. */
export function lastSteps({ resource, workload }: ReturnType<typeof namesIn>): string {
  return `- name: at rest
  advance: 10h
  writes: {}

- name: deletion
  delete: { ${resource} }
  absent:
    - { ${resource} }
    - { ${workload} }
`
}

/** Labels that all roles begin with. */
export function labelsTask(singular: string): string {
  return `- name: Labels
  set:
    labels: { app.kubernetes.io/name: ${singular}, app.kubernetes.io/instance: "\${metadata.name}" }
`
}

/** The spec that has an image and a number of pods. */
export const IMAGE_AND_REPLICAS = `image:
  description: The image that runs.
  type: string
  minLength: 1
replicas:
  description: How many pods run.
  type: integer
  format: int32
  minimum: 0
  default: 1
`

export const READY_REPLICAS = `readyReplicas:
  description: How many pods are ready.
  type: integer
  format: int32
`
