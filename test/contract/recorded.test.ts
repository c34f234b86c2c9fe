import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { Agent, request } from 'undici'
import { ApiServer } from '../../../src/apiserver/api-server.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { BuiltinSchemas } from '../../../src/schema/builtin-schemas.ts'
import type { Answer, Send } from './exchange.ts'
import { runScript } from './run-script.ts'
import { SCRIPTS } from './scripts.ts'

const BIN = new URL('../../../src/schema/builtin-schemas.generated.bin', import.meta.url)
const NAMESPACE = 'contract-test'

describe('The sandbox answers like a real kube-apiserver', () => {
  const schemas = BuiltinSchemas.decode(readFileSync(BIN))
  for (const [name, steps] of Object.entries(SCRIPTS)) {
    describe(name, () => {
      const recorded = JSON.parse(readFileSync(new URL(`recorded/${name}.generated.json`, import.meta.url), 'utf8'))
      let answers: ReadonlyMap<string, Answer> = new Map()

      before(async () => {
        const server = new ApiServer({ schemas, clock: systemClock, tls: false, workloads: false })
        const { url, token } = await server.start()
        const agent = new Agent()
        server.objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }, 'test')
        answers = await runScript(steps, sendTo(url, token, agent), NAMESPACE)
        await agent.close()
        await server.stop()
      })

      for (const step of steps) {
        if (step.differs === undefined) {
          it(step.name, () => expect(answers.get(step.name)).to.deep.equal(recorded[step.name]))
        }
      }
    })
  }
})

function sendTo(url: string, token: string, dispatcher: Agent): Send {
  return async ({ method, path, headers, body }) => {
    const reply = await request(`${url}${path}`, {
      method: method as 'GET',
      headers: { authorization: `Bearer ${token}`, ...headers },
      body: body ?? null,
      dispatcher,
    })
    return { status: reply.statusCode, headers: reply.headers, text: await reply.body.text() }
  }
}
