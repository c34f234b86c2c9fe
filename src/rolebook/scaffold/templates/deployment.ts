import {
  IMAGE_AND_REPLICAS,
  labelsTask,
  lastSteps,
  namesIn,
  READY_REPLICAS,
  type RoleTemplate,
} from './role-template.ts'

export const deployment: RoleTemplate = {
  summary: 'pods that are all alike',
  tasks: ({ singular }) => `${labelsTask(singular)}
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
`,
  required: ['image'],
  spec: IMAGE_AND_REPLICAS,
  status: READY_REPLICAS,
  sample: `image: nginx:1.29
replicas: 2
`,
  test(words) {
    const { singular } = words
    const names = namesIn(words, { apiVersion: 'apps/v1', kind: 'Deployment' })
    const { resource, workload } = names
    return `- name: creation
  expect:
    - ${workload.replaceAll(', ', '\n      ')}
      spec: { replicas: 2, template: { spec: { containers: [{ name: ${singular}, image: nginx:1.29 }] } } }
    - ${resource.replaceAll(', ', '\n      ')}
      status: { readyReplicas: 2, conditions: [{ type: Ready, status: "True" }] }

- name: more replicas
  patch: { ${resource}, spec: { replicas: 3 } }
  expect:
    - { ${workload}, spec: { replicas: 3 } }
    - { ${resource}, status: { readyReplicas: 3 } }

- name: a change by hand is reverted
  patch: { ${workload}, spec: { replicas: 7 } }
  expect:
    - { ${workload}, spec: { replicas: 3 } }

${lastSteps(names)}`
  },
}
