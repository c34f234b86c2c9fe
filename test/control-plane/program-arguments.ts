/** How each program of the control plane is started. Paths are relative to the folder of the run. */
import { kubeVersion, SANDBOX_KUBE_VERSION } from './binaries.ts'

export interface Ports {
  readonly etcdClient: number
  readonly etcdPeer: number
  readonly apiServer: number
  readonly controllerManager: number
  readonly scheduler: number
  readonly kwok: number
}

/** The one Node; kwok makes it Ready, and Pods on it Running. */
export const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node-1', labels: { 'kubernetes.io/hostname': 'node-1' } },
}

/** No client of a test waits for its turn. */
const UNTHROTTLED = ['--kube-api-qps=5000', '--kube-api-burst=10000']

/** Before 1.36, a MutatingAdmissionPolicy is beta, and a server has it only if it is asked for. */
const BETA_POLICIES = [
  '--feature-gates=MutatingAdmissionPolicy=true',
  '--runtime-config=admissionregistration.k8s.io/v1beta1=true',
]

export function etcd({ etcdClient, etcdPeer }: Ports): readonly string[] {
  const client = `http://127.0.0.1:${etcdClient}`
  const peer = `http://127.0.0.1:${etcdPeer}`
  return [
    '--name=e0',
    '--data-dir=etcd',
    '--log-level=error',
    '--unsafe-no-fsync=true',
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=e0=${peer}`,
  ]
}

/**
 * `--advertise-address`: without a default route the server refuses to start, even on loopback.
 * `--endpoint-reconciler-type=none`: a loopback address is no valid endpoint.
 * `--enable-admission-plugins`: who blocks the deletion of an owner must be allowed to, as on OpenShift and others.
 * `--service-cluster-ip-range`: the /24 that test tools use holds 254 Services.
 */
export function apiServer({ etcdClient, apiServer }: Ports): readonly string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${etcdClient}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${apiServer}`,
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    '--tls-cert-file=server.crt',
    '--tls-private-key-file=server.key',
    '--client-ca-file=client-ca.crt',
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-account-key-file=sa.pub',
    '--service-account-signing-key-file=sa.key',
    '--service-cluster-ip-range=10.96.0.0/12',
    '--authorization-mode=RBAC',
    '--enable-admission-plugins=OwnerReferencesPermissionEnforcement',
    '--allow-privileged=true',
    '--profiling=false',
    '--audit-policy-file=audit.json',
    '--audit-log-path=audit.log',
    ...(kubeVersion() === SANDBOX_KUBE_VERSION ? [] : BETA_POLICIES),
  ]
}

export function controllerManager({ controllerManager }: Ports): readonly string[] {
  return [
    '--kubeconfig=admin.conf',
    '--leader-elect=false',
    '--bind-address=127.0.0.1',
    `--secure-port=${controllerManager}`,
    '--service-account-private-key-file=sa.key',
    '--root-ca-file=ca.crt',
    '--controllers=*',
    ...UNTHROTTLED,
  ]
}

export function scheduler({ scheduler }: Ports): readonly string[] {
  return [
    '--kubeconfig=admin.conf',
    '--leader-elect=false',
    '--bind-address=127.0.0.1',
    `--secure-port=${scheduler}`,
    ...UNTHROTTLED,
  ]
}

/** `--cidr` must not overlap the range of the Services. */
export function kwok({ kwok }: Ports): readonly string[] {
  return [
    '--kubeconfig=admin.conf',
    '--config=stages.yaml',
    '--manage-all-nodes=true',
    '--cidr=10.200.0.0/13',
    '--node-ip=10.0.0.1',
    '--node-lease-duration-seconds=40',
    `--server-address=127.0.0.1:${kwok}`,
  ]
}
