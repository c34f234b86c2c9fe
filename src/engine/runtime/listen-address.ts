/** Where a server listens. */
export interface ListenAddress {
  /** Empty: all addresses of the machine. */
  readonly host: string
  /** 0: any free port. */
  readonly port: number
}

/** Parses `:8081`, `127.0.0.1:0` or `[::1]:9`; `undefined` for any other text. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const parts = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]*)):([0-9]{1,5})$/.exec(text)
  const port = Number(parts?.[3])
  if (!parts || port > 65_535) return undefined
  return { host: parts[1] ?? String(parts[2]), port }
}

export function formatListenAddress({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Whether only this machine can reach the host: a loopback address, or the name `localhost`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.[0-9]{1,3}){3}$/.test(host)
}
