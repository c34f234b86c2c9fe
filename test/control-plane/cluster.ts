/** `npm run cluster`: a real control plane for a person, until Ctrl+C. */
import { once } from 'node:events'
import process, { exit, stderr, stdout } from 'node:process'
import { missingForBinaries } from './binaries.ts'
import { ControlPlane } from './control-plane.ts'

const missing = missingForBinaries()
if (missing !== undefined) {
  stderr.write(
    `no control plane can be started: ${missing}\nInstall Go 1.26 or newer (https://go.dev/dl), and try again.\n`,
  )
  exit(1)
}
// While it starts, a signal ends everything at once; after that, in order.
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const abort = (): never => exit(130)
for (const signal of SIGNALS) process.on(signal, abort)
const plane = await ControlPlane.start()
stdout.write(`A Kubernetes control plane runs at ${plane.url}. In another terminal:

  export KUBECONFIG=${plane.kubeconfig}
  ${plane.kubectl} get nodes

Ctrl+C stops it, and removes everything that was in it.
`)
const signalled = Promise.race(SIGNALS.map((signal) => once(process, signal)))
for (const signal of SIGNALS) process.off(signal, abort)
await signalled
await plane.stop()
