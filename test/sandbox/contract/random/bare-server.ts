import { ControlPlane } from '../../../control-plane/control-plane.ts'

/** A real API server in whose objects no controller has a hand. */
export async function startBareServer(): Promise<ControlPlane> {
  const plane = await ControlPlane.start()
  for (const name of ['kwok', 'kube-scheduler', 'kube-controller-manager'] as const) await plane.halt(name)
  return plane
}
