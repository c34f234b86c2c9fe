import { apiVersionOf, type Gvk } from '../../core/kube/group-version-kind.ts'
import { pluralOf } from '../../core/kube/plural-name.ts'
import { aggregation } from './templates/aggregation.ts'
import { cronJob } from './templates/cron-job.ts'
import { deployment } from './templates/deployment.ts'
import type { RoleTemplate, Words } from './templates/role-template.ts'
import { statefulSet } from './templates/stateful-set.ts'

/** What a role may begin with, by name. */
export const TEMPLATES = {
  deployment,
  statefulset: statefulSet,
  cronjob: cronJob,
  aggregation,
} as const satisfies Record<string, RoleTemplate>
export type TemplateName = keyof typeof TEMPLATES

/** What a new role is about, and where its files find the schemas for editors. */
export interface NewRole {
  readonly gvk: Gvk
  /** The path of the folder of schemas, as seen from the folder of the role. */
  readonly schemas: string
  /** Defaults to `deployment`. */
  readonly template?: TemplateName | undefined
}

/** The files of a new role, by their paths in its folder: a small role that works, to be made into one of your own. */
export function newRoleFiles({ template = 'deployment', schemas, gvk }: NewRole): Readonly<Record<string, string>> {
  const { kind } = gvk
  const singular = kind.toLowerCase()
  const words = { gvk, schemas, kind, singular, plural: pluralOf(singular), apiVersion: apiVersionOf(gvk) }
  const { tasks, sample, test, ...fields } = TEMPLATES[template]
  return {
    'role.yaml': roleText(words, tasks(words)),
    'crd.yaml': crdText(words, fields),
    [`samples/${singular}.yaml`]: sampleText(words, sample),
    'tests/life.yaml': testText(words, test(words)),
  }
}

function roleText({ kind, schemas }: Words, tasks: string): string {
  return `# yaml-language-server: $schema=${schemas}/role.json
# What becomes of each ${kind}. What stands in \${ } is JSONata over the resource.
tasks:
${indented(tasks, 2)}`
}

function crdText(
  { gvk: { group, version }, kind, singular, plural }: Words,
  { required, spec, status }: Pick<RoleTemplate, 'required' | 'spec' | 'status'>,
): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.${group}
spec:
  group: ${group}
  names:
    kind: ${kind}
    listKind: ${kind}List
    plural: ${plural}
    singular: ${singular}
  scope: Namespaced
  versions:
    - name: ${version}
      served: true
      storage: true
      subresources:
        status: {}
      additionalPrinterColumns:
        - { name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status' }
        - { name: Reason, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].reason' }
        - { name: Age, type: date, jsonPath: .metadata.creationTimestamp }
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            apiVersion: { type: string }
            kind: { type: string }
            metadata: { type: object }
            spec:
              type: object
              required: [${required.join(', ')}]
              properties:
${indented(spec, 16)}            status:
              type: object
              properties:
                observedGeneration: { type: integer, format: int64 }
${indented(status, 16)}                conditions:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [type]
                  items:
                    type: object
                    required: [type, status]
                    properties:
                      type: { type: string, maxLength: 316 }
                      status: { type: string, enum: ["True", "False", Unknown] }
                      reason: { type: string, maxLength: 1024 }
                      message: { type: string, maxLength: 32768 }
                      observedGeneration: { type: integer, format: int64 }
                      lastTransitionTime: { type: string, format: date-time }
`
}

function sampleText({ apiVersion, kind, singular }: Words, spec: string): string {
  return `apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: ${singular}-sample
spec:
${indented(spec, 2)}`
}

function testText({ kind, singular, schemas }: Words, steps: string): string {
  return `# yaml-language-server: $schema=../${schemas}/test.json
# A ${kind} from its creation to its end.
given: [../samples/${singular}.yaml]
steps:
${indented(steps, 2)}`
}

/** Each line but empty ones. */
function indented(text: string, spaces: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(spaces))
}
