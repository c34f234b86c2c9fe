import type { Clock } from '../../core/base/clock.ts'
import type { ServerAccess } from '../../sandbox/cluster/kubeconfig.ts'

/** What an operator of this process needs of a sandbox, and its users do not. */
export interface SandboxParts {
  readonly access: ServerAccess
  readonly clock: Clock
  readonly isManual: boolean
}

const parts = new WeakMap<object, SandboxParts>()

export function keepSandboxParts(sandbox: object, value: SandboxParts): void {
  parts.set(sandbox, value)
}

/** @throws Error when the object was not made by `Sandbox.start` */
export function sandboxParts(sandbox: object): SandboxParts {
  const found = parts.get(sandbox)
  if (!found) throw new Error('cannot use the sandbox: it was not made by Sandbox.start of this copy of rolebook')
  return found
}
