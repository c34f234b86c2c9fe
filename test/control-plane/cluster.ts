/** `npm run cluster`: a real control plane for a person, until Ctrl+C. */
import { once } from 'node:events'
import { exit, stderr, stdout } from 'node:process'
import { missingForBinaries } from './binaries.ts'
import { ControlPlane } from './control-plane.ts'

const missing = missingForBinaries()
if (missing !== undefined) {
  stderr.write(
    `no control plane can be started: ${missing}\nInstall Go 1.26 or newer (https://go.dev/dl), and try again.\n`,
  )
  exit(1)
}
const plane = await ControlPlane.start()
stdout.write(`A Kubernetes control plane runs at ${plane.url}. In another terminal:

  export KUBECONFIG=${plane.kubeconfig}
  ${plane.kubectl} get nodes

Ctrl+C stops it, and removes everything that was in it.
`)
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), once(process, 'SIGHUP')])
await plane.stop()
