import type { JsonObject } from '../../src/core/base/json.ts'
import type { Gvk } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'

/**
 * A person at work on a cluster, in the namespace of the scenario. The same scenarios run with kubectl against the
 * running program and over HTTP in one process.
 */
export interface ClusterDriver {
  /** Creates the object or changes it, as `kubectl apply` does. */
  apply(object: KubeObject): Promise<void>
  /** Merge patch, as `kubectl patch --type=merge`. */
  patch(gvk: Gvk, name: string, body: JsonObject): Promise<void>
  scale(gvk: Gvk, name: string, replicas: number): Promise<void>
  /** Asks for deletion and returns when the object is gone. */
  remove(gvk: Gvk, name: string): Promise<void>
  read(gvk: Gvk, name: string): Promise<KubeObject | undefined>
  list(gvk: Gvk, labelSelector?: string): Promise<readonly KubeObject[]>
  /** Watches the object until `holds` is true of it (`undefined`: there is none), and returns it. */
  until(gvk: Gvk, name: string, expected: Expectation): Promise<KubeObject | undefined>
}

export interface Expectation {
  /** For the message when it never comes true: `is Ready`. */
  readonly what: string
  holds(object: KubeObject | undefined): boolean
}

/** Kinds that scenarios speak of. */
export const KIND = {
  pod: { group: '', version: 'v1', kind: 'Pod' },
  service: { group: '', version: 'v1', kind: 'Service' },
  configMap: { group: '', version: 'v1', kind: 'ConfigMap' },
  secret: { group: '', version: 'v1', kind: 'Secret' },
  serviceAccount: { group: '', version: 'v1', kind: 'ServiceAccount' },
  ingress: { group: 'networking.k8s.io', version: 'v1', kind: 'Ingress' },
  tomcat: { group: 'apache.org', version: 'v1alpha1', kind: 'Tomcat' },
  deployment: { group: 'apps', version: 'v1', kind: 'Deployment' },
  maintPage: {
    group: 'maintpage.example.com',
    version: 'v1alpha1',
    kind: 'MaintPage',
  },
  appService: { group: 'app.example.com', version: 'v1', kind: 'AppService' },
  webService: { group: 'app.example.com', version: 'v1', kind: 'WebService' },
  memcached: { group: 'cache.example.com', version: 'v1', kind: 'Memcached' },
  memcachedAlpha: {
    group: 'cache.my.domain',
    version: 'v1alpha1',
    kind: 'Memcached',
  },
} as const satisfies Record<string, Gvk>
