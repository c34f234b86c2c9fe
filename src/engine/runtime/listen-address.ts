/** Where a server listens. */
export interface ListenAddress {
  /** Empty: on all addresses of the machine. */
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
}

/** `:8081`, `127.0.0.1:0` or `[::1]:9`; `undefined` when the text is none of that. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const parts = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]*)):([0-9]{1,5})$/.exec(text)
  const port = Number(parts?.[3])
  if (!parts || port > 65_535) return undefined
  return { host: parts[1] ?? String(parts[2]), port }
}

export function formatListenAddress({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Whether nobody but this machine can reach it, by a name or an address that says so. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.[0-9]{1,3}){3}$/.test(host)
}
