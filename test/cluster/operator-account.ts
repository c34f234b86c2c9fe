import { execFileSync } from 'node:child_process'
import { AUDITED_NAMESPACE } from '../control-plane/audit-log.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'

/** Everything of `deploy/` as it is installed. Its Pods are only pretended: no process of it runs. */
export function installOperator(plane: ControlPlane): void {
  const args = ['apply', '--server-side', '--force-conflicts', '-k', 'deploy/']
  execFileSync(plane.kubectl, ['--kubeconfig', plane.kubeconfig, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/**
 * Gives the operator the rights of `deploy/rbac.yaml` and no more, as an installation does.
 *
 * @returns the path of a kubeconfig of its ServiceAccount
 */
export function installOperatorAccount(plane: ControlPlane): string {
  const files = ['deploy/namespace.yaml', 'deploy/rbac.yaml'].flatMap((file) => ['-f', file])
  execFileSync(plane.kubectl, ['--kubeconfig', plane.kubeconfig, 'apply', ...files], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return plane.serviceAccountKubeconfig(AUDITED_NAMESPACE, 'rolebook')
}
