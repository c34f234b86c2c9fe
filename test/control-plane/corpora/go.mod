// Manifests are read from these modules, and nothing is built from them: what they require is left out on purpose.
module rolebook.test/corpora

go 1.26.8

require (
	github.com/bitnami/charts v0.0.0-20260907150927-c0703daaf78e
	github.com/cert-manager/cert-manager v1.21.2
	github.com/cockroachdb/helm-charts v0.0.0-20260828131910-3f65257a73c7
	github.com/dapr/dapr v1.14.0
	github.com/elastic/cloud-on-k8s/v3 v3.5.0
	github.com/external-secrets/external-secrets v1.3.2
	github.com/hashicorp/vault-helm v0.34.1
	github.com/kedacore/keda/v2 v2.21.0
	github.com/kubernetes-sigs/kro v0.9.4
	github.com/kyverno/kyverno v1.19.1
	github.com/minio/minio v0.0.0-20260212201848-7aac2a2c5b7c
	github.com/prometheus-community/helm-charts v0.0.0-20260828105119-ed5d7d9b5933
	github.com/seaweedfs/seaweedfs v0.0.0-20261109003541-7506e5f91cd6
	github.com/vmware-tanzu/velero v1.18.3
	k8s.io/kubernetes v1.36.4
	sigs.k8s.io/cluster-api v1.14.2
	sigs.k8s.io/jobset v0.10.1
	sigs.k8s.io/kueue v0.17.0
	sigs.k8s.io/kustomize v2.0.3+incompatible
	sigs.k8s.io/lws v0.7.0
)
