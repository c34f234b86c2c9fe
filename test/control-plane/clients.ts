/** Programs that other people's servers are used with: the suites run them against the sandbox and a real server. */
import { buildProgram, hasGo } from './go-build.ts'

const CLIENTS = {
  'client-go': { module: 'client-go', package: '.' },
  'controller-runtime': { module: 'controller-runtime', package: '.' },
  helm: { module: 'helm', package: 'helm.sh/helm/v4/cmd/helm' },
  'validate-krew-manifest': { module: 'krew', package: 'sigs.k8s.io/krew/cmd/validate-krew-manifest' },
} as const

export type ClientName = keyof typeof CLIENTS

/** Why no client can be built here, or undefined when one can. */
export function missingForClients(): string | undefined {
  return hasGo() ? undefined : 'Go is not on the path'
}

/** The path of the program; with the control plane built, what it shares with that is compiled already. */
export function buildClient(name: ClientName): string {
  return buildProgram(name, CLIENTS[name])
}
