import {
  IMAGE_AND_REPLICAS,
  labelsTask,
  lastSteps,
  namesIn,
  READY_REPLICAS,
  type RoleTemplate,
} from './role-template.ts'

export const statefulSet: RoleTemplate = {
  summary: 'pods with a name and a disk each, such as a database',
  tasks: ({ singular }) => `${labelsTask(singular)}
# Gives each pod a name in the network: <pod>.<service>.
- name: Service
  ensure:
    apiVersion: v1
    kind: Service
    metadata:
      name: \${metadata.name}
      labels: \${$labels}
    spec:
      clusterIP: None
      selector: \${$labels}
      ports: [{ name: main, port: "\${spec.port}", targetPort: main }]

- name: StatefulSet
  ensure:
    apiVersion: apps/v1
    kind: StatefulSet
    metadata:
      name: \${metadata.name}
      labels: \${$labels}
    spec:
      serviceName: \${metadata.name}
      replicas: \${spec.replicas}
      selector: { matchLabels: "\${$labels}" }
      template:
        metadata: { labels: "\${$labels}" }
        spec:
          containers:
            - name: ${singular}
              image: \${spec.image}
              ports: [{ name: main, containerPort: "\${spec.port}" }]
              volumeMounts: [{ name: data, mountPath: /data }]
      volumeClaimTemplates:
        - metadata: { name: data }
          spec:
            accessModes: [ReadWriteOnce]
            resources: { requests: { storage: "\${spec.storage}" } }
  register: statefulSet

- name: How many are ready
  status:
    readyReplicas: \${$statefulSet.status.readyReplicas ?? 0}
`,
  required: ['image'],
  spec: `${IMAGE_AND_REPLICAS}port:
  description: The port that the pods listen on.
  type: integer
  format: int32
  minimum: 1
  maximum: 65535
  default: 6379
storage:
  description: The size of each disk. It cannot be changed later.
  type: string
  pattern: ^[0-9]+(Mi|Gi|Ti)$
  default: 1Gi
  x-kubernetes-validations: [{ rule: self == oldSelf, message: the size of the disks cannot be changed }]
`,
  status: READY_REPLICAS,
  sample: `image: redis:8
replicas: 3
storage: 1Gi
`,
  test(words) {
    const { singular } = words
    const names = namesIn(words, { apiVersion: 'apps/v1', kind: 'StatefulSet' })
    const { resource, workload } = names
    return `- name: creation
  expect:
    - ${workload.replaceAll(', ', '\n      ')}
      spec: { replicas: 3, template: { spec: { containers: [{ name: ${singular}, image: redis:8 }] } } }
    - { apiVersion: v1, kind: Service, name: ${singular}-sample, spec: { clusterIP: None } }
    - { apiVersion: v1, kind: PersistentVolumeClaim, name: data-${singular}-sample-0, status: { phase: Bound } }
    - ${resource.replaceAll(', ', '\n      ')}
      status: { readyReplicas: 3, conditions: [{ type: Ready, status: "True" }] }

- name: fewer replicas
  patch: { ${resource}, spec: { replicas: 1 } }
  expect:
    - { ${workload}, spec: { replicas: 1 } }
    - { ${resource}, status: { readyReplicas: 1 } }
  absent:
    - { apiVersion: v1, kind: Pod, name: ${singular}-sample-2 }

- name: a pod that is deleted comes back
  delete: { apiVersion: v1, kind: Pod, name: ${singular}-sample-0 }
  expect:
    - { apiVersion: v1, kind: Pod, name: ${singular}-sample-0, status: { phase: Running } }

${lastSteps(names)}`
  },
}
