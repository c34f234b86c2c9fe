import { apiVersionOf, type Gvk } from '../../core/kube/group-version-kind.ts'
import { pluralOf } from '../../core/kube/plural-name.ts'

/** What a new role is about, and where its files find the schemas for editors. */
export interface NewRole {
  readonly gvk: Gvk
  /** The path of the folder of schemas, as seen from the folder of the role. */
  readonly schemas: string
}

/** The files of a new role, by their paths in its folder: a small role that works, to be made into one of your own. */
export function newRoleFiles(role: NewRole): Readonly<Record<string, string>> {
  const { kind } = role.gvk
  const singular = kind.toLowerCase()
  const words = { ...role, kind, singular, plural: pluralOf(singular), apiVersion: apiVersionOf(role.gvk) }
  return {
    'role.yaml': roleText(words),
    'crd.yaml': crdText(words),
    [`samples/${singular}.yaml`]: sampleText(words),
    'tests/life.yaml': testText(words),
  }
}

interface Words extends NewRole {
  readonly kind: string
  readonly singular: string
  readonly plural: string
  readonly apiVersion: string
}

function roleText({ kind, singular, schemas }: Words): string {
  return `# yaml-language-server: $schema=${schemas}/role.json
# What becomes of each ${kind}. What stands in \${ } is JSONata over the resource.
tasks:
  - name: Labels
    set:
      labels: { app.kubernetes.io/name: ${singular}, app.kubernetes.io/instance: "\${metadata.name}" }

  - name: Deployment
    ensure:
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: \${metadata.name}
        labels: \${$labels}
      spec:
        replicas: \${spec.replicas}
        selector: { matchLabels: "\${$labels}" }
        template:
          metadata: { labels: "\${$labels}" }
          spec:
            containers:
              - name: ${singular}
                image: \${spec.image}
    register: deployment

  - name: How many are ready
    status:
      readyReplicas: \${$deployment.status.readyReplicas ?? 0}
`
}

function crdText({ gvk: { group, version }, kind, singular, plural }: Words): string {
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
              required: [image]
              properties:
                image:
                  description: The image that runs.
                  type: string
                  minLength: 1
                replicas:
                  description: How many pods run.
                  type: integer
                  format: int32
                  minimum: 0
                  default: 1
            status:
              type: object
              properties:
                observedGeneration: { type: integer, format: int64 }
                readyReplicas:
                  description: How many pods are ready.
                  type: integer
                  format: int32
                conditions:
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

function sampleText({ apiVersion, kind, singular }: Words): string {
  return `apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: ${singular}-sample
spec:
  image: nginx:1.29
  replicas: 2
`
}

function testText({ apiVersion, kind, singular, schemas }: Words): string {
  const resource = `apiVersion: ${apiVersion}, kind: ${kind}, name: ${singular}-sample`
  const deployment = `apiVersion: apps/v1, kind: Deployment, name: ${singular}-sample`
  return `# yaml-language-server: $schema=../${schemas}/test.json
# A ${kind} from its creation to its end.
given: [../samples/${singular}.yaml]
steps:
  - name: creation
    expect:
      - ${deployment.replaceAll(', ', '\n        ')}
        spec: { replicas: 2, template: { spec: { containers: [{ name: ${singular}, image: nginx:1.29 }] } } }
      - ${resource.replaceAll(', ', '\n        ')}
        status: { readyReplicas: 2, conditions: [{ type: Ready, status: "True" }] }

  - name: more replicas
    patch: { ${resource}, spec: { replicas: 3 } }
    expect:
      - { ${deployment}, spec: { replicas: 3 } }
      - { ${resource}, status: { readyReplicas: 3 } }

  - name: a change by hand is reverted
    patch: { ${deployment}, spec: { replicas: 7 } }
    expect:
      - { ${deployment}, spec: { replicas: 3 } }

  - name: at rest
    advance: 10h
    writes: {}

  - name: deletion
    delete: { ${resource} }
    absent:
      - { ${resource} }
      - { ${deployment} }
`
}
