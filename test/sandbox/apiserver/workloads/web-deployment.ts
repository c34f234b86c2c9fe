import type { KubeObject } from '../../../../src/core/kube/object.ts'

/** The Deployment `web` of four pods with the label `app: web`. */
export function deployment(spec: object = {}, image = 'nginx:1'): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 4,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } },
      ...spec,
    },
  }
}
