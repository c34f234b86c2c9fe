// What `kubeconfig-library.mjs` imports of what it leaves out. Connections are made by the transport, which refuses SOCKS.

export class SocksProxyAgent {}
export const SocksClient = {}
export const ObjectSerializer = { deserialize: (data) => data }
export const getSerializationType = () => 'KubernetesObject'
export const createConfiguration = noClient

export class ServerConfiguration {
  constructor() {
    noClient()
  }
}

function noClient() {
  throw new Error('the bundle has no client of @kubernetes/client-node')
}
