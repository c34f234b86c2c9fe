import { BlockList, isIP } from 'node:net'

/** Variables of the process: `HTTPS_PROXY` and `NO_PROXY`, in capitals or not. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The proxy on the way to a server, as kubectl and other programs read it from the environment. `NO_PROXY` lists names (with
 * all below them), addresses, networks and `*`, each perhaps with a port. What is on this machine needs none.
 */
export function environmentProxy(url: URL, environment: Environment): string | undefined {
  const given = valueIn(environment, 'HTTPS_PROXY')
  if (given === '') return undefined
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const place = { host, port: url.port || '443' }
  const direct = valueIn(environment, 'NO_PROXY')
    .split(/[\s,]+/)
    .some((rule) => matches(rule.toLowerCase(), place))
  if (direct || isLocal(host)) return undefined
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`
}

function valueIn(environment: Environment, name: string): string {
  return environment[name] || environment[name.toLowerCase()] || ''
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host)
}

function matches(rule: string, { host, port }: { readonly host: string; readonly port: string }): boolean {
  if (rule === '') return false
  if (rule === '*') return true
  const onlyPort = isIP(rule) === 6 ? undefined : /:(\d+)$/.exec(rule)?.[1]
  if (onlyPort !== undefined && onlyPort !== port) return false
  const name = onlyPort === undefined ? rule : rule.slice(0, -onlyPort.length - 1)
  const plain = name.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0) return plain.includes('/') ? isInNetwork(host, plain) : plain === host
  if (plain.startsWith('.') || plain.startsWith('*.')) return host.endsWith(plain.replace(/^\*/, ''))
  return host === plain || host.endsWith(`.${plain}`)
}

function isInNetwork(host: string, network: string): boolean {
  const [address = '', bits = ''] = network.split('/')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  const length = Number(bits)
  const isNetwork = isIP(address) !== 0 && /^\d+$/.test(bits) && length <= (family === 'ipv6' ? 128 : 32)
  if (!isNetwork || isIP(host) !== isIP(address)) return false
  const networks = new BlockList()
  networks.addSubnet(address, length, family)
  return networks.check(host, family)
}
