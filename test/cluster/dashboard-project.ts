import { writeFiles } from '../support/temporary-folder.ts'

export const SHOP = { apiVersion: 'example.com/v1', kind: 'Shop' }

/** A resource of the project's kind. */
export function shop(name: string, { image = 'shop:1', finalizers = [] as readonly string[] } = {}) {
  return { ...SHOP, metadata: { name, namespace: 'default', finalizers }, spec: { image, theme: 'plain' } }
}

/** Writes a project of one role into a folder: each Shop makes a ConfigMap, a Service and a Deployment whose deadline is short. */
export function writeShopProject(folder: string): void {
  writeFiles(folder, FILES)
}

const FILES = {
  'watches.yaml': '- {group: example.com, version: v1, kind: Shop, role: shop}\n',
  'roles/shop/role.yaml': `tasks:
  - name: Settings
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: "\${metadata.name}-settings" }
      data: { theme: "\${spec.theme}" }
  - name: Service
    ensure:
      apiVersion: v1
      kind: Service
      metadata: { name: "\${metadata.name}" }
      spec: { selector: { app: "\${metadata.name}" }, ports: [{ port: 80 }] }
  - name: Pods
    ensure:
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: "\${metadata.name}" }
      spec:
        replicas: 2
        progressDeadlineSeconds: 2
        selector: { matchLabels: { app: "\${metadata.name}" } }
        template:
          metadata: { labels: { app: "\${metadata.name}" } }
          spec: { containers: [{ name: shop, image: "\${spec.image}" }] }
`,
  'roles/shop/crd.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: shops.example.com }
spec:
  group: example.com
  names: { kind: Shop, plural: shops, singular: shop, listKind: ShopList }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema:
        openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true }
`,
}
