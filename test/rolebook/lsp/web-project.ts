/** A project in which every kind of file has something to ask about. */
export const WEB_PROJECT: Readonly<Record<string, string>> = {
  'watches.yaml': `- group: example.com
  version: v1
  kind: Web
  role: web
  vars: { tier: gold }
`,
  'roles/web/crd.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: webs.example.com }
spec:
  group: example.com
  names: { kind: Web, plural: webs }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [replicas]
              properties:
                replicas: { type: integer, description: How many pods serve. }
                image: { type: string, default: "nginx:1.27" }
                size: { type: string, enum: [small, medium, large] }
                ports:
                  type: array
                  items:
                    type: object
                    required: [name, port]
                    properties:
                      name: { type: string, description: What the port is called. }
                      port: { type: integer }
            status:
              type: object
              properties:
                url: { type: string, description: Where it answers. }
                conditions: { type: array, items: { type: object, x-kubernetes-preserve-unknown-fields: true } }
                observedGeneration: { type: integer }
                ready: { type: integer }
`,
  'roles/web/samples/web.yaml': `apiVersion: example.com/v1
kind: Web
metadata: { name: shop, namespace: default }
spec:
  replicas: 3
  size: small
  ports:
    - { name: http, port: 80 }
    - { name: https, port: 443 }
`,
  'roles/web/files/motd.txt': 'Welcome to ${metadata.name} (${$tier})\n',
  'roles/web/tasks/settings.yaml': `- name: Settings
  ensure:
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: "\${metadata.name}-\${$given}" }
    data: { tier: "\${$tier}" }
`,
  'roles/web/role.yaml': `vars:
  tier: silver
  label: web

tasks:
  - name: Names
    set:
      labels: { app: "\${$label}", tier: "\${$tier}" }

  - name: Deployment
    ensure:
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: "\${metadata.name}" }
      spec:
        replicas: \${spec.replicas}
        selector: { matchLabels: "\${$labels}" }
        template:
          metadata: { labels: "\${$labels}" }
          spec:
            containers:
              - name: web
                image: \${spec.image}
    register: deployment

  - name: Settings of ports
    loop: \${spec.ports}
    loopVar: port
    include:
      tasks: tasks/settings.yaml
      vars: { given: "\${$port.name}" }

  - name: Greeting
    after: [Deployment, Settings of ports]
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: "\${metadata.name}-motd" }
      data: { motd: '\${$template("motd.txt")}' }

  - name: Report
    after: [Greeting]
    status:
      ready: \${$deployment.status.readyReplicas ?? 0}
`,
}

export const ROLE = 'roles/web/role.yaml'

/** The text of a file of the project with something else in one place: `¦` in it is the cursor. */
export function typed(file: string, old: string, text: string): string {
  const whole = WEB_PROJECT[file] ?? ''
  if (!whole.includes(old)) throw new Error(`no ${old} in ${file}`)
  return whole.replace(old, () => text)
}
