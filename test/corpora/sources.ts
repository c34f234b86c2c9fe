/** Manifests of a project, in the Go module that it publishes. */
export interface Source {
  readonly name: string
  readonly module: string
  /** Folders and files in it; files below a folder count. */
  readonly paths: readonly string[]
}

/** What others wrote and apply. It is read where Go keeps the modules, and never copied. */
export const SOURCES: readonly Source[] = [
  {
    name: 'kubernetes',
    module: 'k8s.io/kubernetes',
    paths: ['hack/testdata', 'test/fixtures', 'test/e2e/testing-manifests', 'cluster/addons'],
  },
  {
    name: 'cert-manager',
    module: 'github.com/cert-manager/cert-manager',
    paths: ['deploy/crds', 'make/config', 'test/fixtures'],
  },
  {
    name: 'cluster-api',
    module: 'sigs.k8s.io/cluster-api',
    paths: ['core', 'controlplane', 'bootstrap', 'cmd', 'util'],
  },
  { name: 'cockroachdb', module: 'github.com/cockroachdb/helm-charts', paths: ['examples', 'pkg', 'bundle'] },
  { name: 'dapr', module: 'github.com/dapr/dapr', paths: ['charts/dapr/crds', 'tests/config'] },
  {
    name: 'eck',
    module: 'github.com/elastic/cloud-on-k8s/v3',
    paths: ['config/crds/v1/resources', 'config/samples', 'config/recipes'],
  },
  {
    name: 'external-secrets',
    module: 'github.com/external-secrets/external-secrets',
    paths: ['config/crds/bases', 'docs/snippets'],
  },
  { name: 'jobset', module: 'sigs.k8s.io/jobset', paths: ['config', 'test/e2e'] },
  { name: 'keda', module: 'github.com/kedacore/keda/v2', paths: ['config'] },
  { name: 'kueue', module: 'sigs.k8s.io/kueue', paths: ['config', 'test/e2e', 'test/performance'] },
  {
    name: 'kyverno',
    module: 'github.com/kyverno/kyverno',
    paths: ['config/crds', 'test/resources', 'test/best_practices'],
  },
  { name: 'lws', module: 'sigs.k8s.io/lws', paths: ['config', 'docs/examples'] },
  {
    name: 'velero',
    module: 'github.com/vmware-tanzu/velero',
    paths: ['config', 'tilt-resources', 'test/testdata', 'design'],
  },
]

/** A Helm chart that a project ships in its Go module. */
export interface ChartOfModule {
  readonly name: string
  readonly module: string
  readonly path: string
  /** Folders of the module: charts that this one depends on, and which its project adds when it packs the chart. */
  readonly dependencies?: readonly string[]
  /** YAML: what a person gives who installs it. Defaults to nothing. */
  readonly values?: string
}

/** As its page says for a cluster with a provisioner. */
const CLAIMS = `
master: {data: {type: persistentVolumeClaim, size: 24Gi}}
volume: {dataDirs: [{name: data1, type: persistentVolumeClaim, size: 24Gi, maxVolumes: 0}]}
filer: {enabled: true, data: {type: persistentVolumeClaim, size: 25Gi}, s3: {enabled: true}}
`

const COCKROACH = 'github.com/cockroachdb/helm-charts'

const BITNAMI = 'github.com/bitnami/charts'

/** Charts of databases, queues and stores, all with claims, most with several members. */
const STATEFUL: readonly ChartOfModule[] = [
  bitnami('cassandra', 'replicaCount: 3'),
  bitnami('clickhouse', 'shards: 2'),
  bitnami('etcd', 'replicaCount: 3'),
  bitnami('kafka', ''),
  bitnami('mariadb-galera', ''),
  bitnami('mongodb', 'architecture: replicaset'),
  bitnami('mysql', 'architecture: replication'),
  bitnami('postgresql', 'architecture: replication'),
  bitnami('rabbitmq', 'replicaCount: 3'),
  bitnami('redis', 'sentinel: {enabled: true}'),
  bitnami('zookeeper', 'replicaCount: 3'),
  { name: 'alertmanager', module: 'github.com/prometheus-community/helm-charts', path: 'charts/alertmanager' },
  {
    name: 'vault',
    module: 'github.com/hashicorp/vault-helm',
    path: '',
    values: 'server: {ha: {enabled: true, raft: {enabled: true}}}',
  },
]

function bitnami(name: string, values: string): ChartOfModule {
  return { name, module: BITNAMI, path: `bitnami/${name}`, dependencies: ['bitnami/common'], values }
}

export const CHARTS: readonly ChartOfModule[] = [
  ...STATEFUL,
  { name: 'cockroachdb', module: COCKROACH, path: 'cockroachdb' },
  { name: 'cockroachdb-operator', module: COCKROACH, path: 'cockroachdb-parent/charts/operator' },
  { name: 'dapr', module: 'github.com/dapr/dapr', path: 'charts/dapr', values: 'global: {ha: {enabled: true}}' },
  { name: 'eck-operator', module: 'github.com/elastic/cloud-on-k8s/v3', path: 'deploy/eck-operator' },
  { name: 'eck-stack', module: 'github.com/elastic/cloud-on-k8s/v3', path: 'deploy/eck-stack' },
  { name: 'minio', module: 'github.com/minio/minio', path: 'helm/minio' },
  { name: 'minio-standalone', module: 'github.com/minio/minio', path: 'helm/minio', values: 'mode: standalone' },
  { name: 'seaweedfs', module: 'github.com/seaweedfs/seaweedfs', path: 'k8s/charts/seaweedfs' },
  {
    name: 'seaweedfs-claims',
    module: 'github.com/seaweedfs/seaweedfs',
    path: 'k8s/charts/seaweedfs',
    values: CLAIMS,
  },
  { name: 'cert-manager', module: 'github.com/cert-manager/cert-manager', path: 'deploy/charts/cert-manager' },
  { name: 'jobset', module: 'sigs.k8s.io/jobset', path: 'charts/jobset' },
  { name: 'kueue', module: 'sigs.k8s.io/kueue', path: 'charts/kueue' },
  { name: 'lws', module: 'sigs.k8s.io/lws', path: 'charts/lws' },
]
