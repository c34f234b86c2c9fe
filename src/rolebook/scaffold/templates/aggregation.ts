import { labelsTask, lastSteps, namesIn, type RoleTemplate } from './role-template.ts'

export const aggregation: RoleTemplate = {
  summary: 'one object made of many others, such as one file of many parts',
  tasks: ({ singular }) => `${labelsTask(singular)}
# When an object changes that the role has read, the role runs again: so it follows the parts.
- name: Parts
  list:
    apiVersion: v1
    kind: ConfigMap
    labels: { ${singular}: "\${metadata.name}" }
  register: parts

- name: A part is there
  wait:
    for: \${$count($parts) > 0}
    message: no ConfigMap has the label ${singular}=\${metadata.name}

# Each part has its text under the key \`part\`.
- name: Whole
  ensure:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: \${metadata.name}
      labels: \${$labels}
    data:
      "\${spec.file}": \${$join([$parts.data.part], "\\n")}

- name: What it is made of
  status:
    parts: \${[$parts.metadata.name]}
`,
  required: ['file'],
  spec: `file:
  description: The key under which the whole text stands.
  type: string
  pattern: ^[-._a-zA-Z0-9]+$
  maxLength: 253
`,
  status: `parts:
  description: The ConfigMaps that the text is made of.
  type: array
  items: { type: string }
`,
  sample: `file: all.conf
`,
  test(words) {
    const { singular } = words
    const names = namesIn(words, { apiVersion: 'v1', kind: 'ConfigMap' })
    const { resource, workload } = names
    const part = (name: string, text: string): string =>
      `{ apiVersion: v1, kind: ConfigMap, metadata: { name: ${name}, labels: { ${singular}: ${singular}-sample } }, data: { part: ${text} } }`
    return `- name: without parts
  expect:
    - { ${resource}, status: { conditions: [{ type: Ready, status: "False", reason: Waiting }] } }
  absent:
    - { ${workload} }

- name: two parts
  create:
    - ${part('one', 'first')}
    - ${part('two', 'second')}
  expect:
    - { ${workload}, data: { all.conf: "first\\nsecond" } }
    - ${resource.replaceAll(', ', '\n      ')}
      status: { parts: [one, two], conditions: [{ type: Ready, status: "True" }] }

- name: a part changes
  patch: { apiVersion: v1, kind: ConfigMap, name: one, data: { part: changed } }
  expect:
    - { ${workload}, data: { all.conf: "changed\\nsecond" } }

- name: a part goes
  delete: { apiVersion: v1, kind: ConfigMap, name: two }
  expect:
    - { ${workload}, data: { all.conf: changed } }
    - { ${resource}, status: { parts: [one] } }

${lastSteps(names)}`
  },
}
