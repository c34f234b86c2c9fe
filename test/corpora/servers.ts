import { Agent } from 'undici'
import { systemClock } from '../../src/core/base/clock.ts'
import { parseYamlBody } from '../../src/core/yaml/parse-body.ts'
import { printBody } from '../../src/core/yaml/print-body.ts'
import { ApiServer } from '../../src/sandbox/apiserver/api-server.ts'
import { builtinSchemas } from '../sandbox/apiserver/sandbox.ts'
import { BROKEN_OFF, type Send } from '../sandbox/contract/exchange.ts'
import { startBareServer } from '../sandbox/contract/random/bare-server.ts'
import { connectToCluster, sendTo } from '../sandbox/contract/server-under-test.ts'

/** Both servers, without controllers: what is compared is the API server alone. */
export interface Servers {
  readonly real: Send
  readonly sandbox: Send
  stop(): Promise<void>
}

/** @param kubeconfig of a server that runs already, and has no controllers; one is started when there is none. */
export async function startServers(kubeconfig?: string): Promise<Servers> {
  const plane = kubeconfig === undefined ? await startBareServer() : undefined
  const real = connectToCluster(plane?.kubeconfig ?? kubeconfig ?? '')
  const server = new ApiServer({
    schemas: builtinSchemas(),
    clock: systemClock,
    tls: false,
    controllers: false,
    authorization: 'rbac',
    parseYaml: parseYamlBody,
    printYaml: printBody,
  })
  const { url, token } = await server.start()
  const agent = new Agent()
  return {
    real: orBrokenOff(real.send),
    sandbox: sendTo(url, agent, { authorization: `Bearer ${token}` }),
    stop: async () => {
      await agent.close()
      await server.stop()
      await real.close()
      await plane?.stop()
    },
  }
}

/** A server that panics over a request resets its stream, and goes on. */
function orBrokenOff(send: Send): Send {
  return async (request) => {
    try {
      return await send(request)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_HTTP2_STREAM_ERROR') throw error
      return BROKEN_OFF
    }
  }
}
