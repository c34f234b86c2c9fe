import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { JsonObject } from '../../src/core/base/json.ts'
import { buildClient } from '../control-plane/clients.ts'
import { ClientServer } from './client-server.ts'
import { differences } from './differences.ts'
import { type FinalObjects, maskObjects } from './final-objects.ts'

const NAMESPACE = 'client-go'

describe('a client-go program', () => {
  let real: Outcome
  let sandbox: Outcome

  before(async function () {
    real = await run(await ClientServer.real(this), buildClient('client-go'))
    sandbox = await run(await ClientServer.sandbox(), buildClient('client-go'))
  })

  it('finds on a real server what it expects', () => expect(real.failed).to.equal(''))
  it('finds on the sandbox what it expects', () => expect(sandbox.failed).to.equal(''))
  it('takes the same steps on both', () => expect(sandbox.steps).to.deep.equal(real.steps))
  it('leaves the same objects on both', () =>
    expect(differences(sandbox.objects, real.objects).join('\n')).to.equal(''))
})

interface Outcome {
  readonly failed: string
  readonly steps: readonly string[]
  readonly objects: FinalObjects
}

async function run(server: ClientServer, program: string): Promise<Outcome> {
  const { stdout, failed } = await promisify(execFile)(program, [server.kubeconfig], { maxBuffer: 1e8 })
    .then((done) => ({ ...done, failed: '' }))
    .catch((error) => ({ stdout: String(error.stdout), failed: `${error.stdout}${error.stderr}` }))
  await server.close()
  const lines = stdout.trim().split('\n')
  const objects = lines.filter((line) => line.startsWith('object ')).map((line) => JSON.parse(line.slice(7)))
  return {
    failed,
    steps: lines.filter((line) => !line.startsWith('object ')),
    objects: maskObjects(objects as JsonObject[], NAMESPACE),
  }
}
