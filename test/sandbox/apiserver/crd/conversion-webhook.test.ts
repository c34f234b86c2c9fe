import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { ConversionWebhook } from '../../../../src/sandbox/apiserver/crd/conversion/conversion-webhook.ts'
import { createServerCertificate } from '../../../../src/sandbox/apiserver/http/certificates.ts'
import { PendingAnswer } from '../../../../src/sandbox/apiserver/write/outside-answers.ts'

const V2 = 'example.com/v2'
const rod = (name: string, metadata: JsonObject = {}): KubeObject =>
  ({ apiVersion: 'example.com/v1', kind: 'Rod', metadata: { name, ...metadata }, spec: { size: 1 } }) as KubeObject

describe('a conversion webhook of a CRD', () => {
  let server: Server
  let webhook: ConversionWebhook
  let asked: string[] = []
  let connections = 0
  let works = true
  /** Put over the fields of each response. */
  let answered: JsonObject = {}

  before(async () => {
    const { key, certificate, ca } = await createServerCertificate(Date.now())
    server = createServer({ key, cert: certificate }, (message, response) => {
      const chunks: Buffer[] = []
      message.on('data', (chunk: Buffer) => chunks.push(chunk))
      message.on('end', () => {
        const { request, ...review } = JSON.parse(Buffer.concat(chunks).toString())
        asked.push(...request.objects.map(({ metadata }: KubeObject) => metadata.name))
        const convertedObjects = request.objects.map((object: JsonObject) => ({ ...object, apiVersion: V2 }))
        const result = { status: works ? 'Success' : 'Failed' }
        response.setHeader('content-type', 'application/json')
        const answer = { uid: request.uid, result, convertedObjects, ...answered }
        response.end(JSON.stringify({ ...review, response: answer }))
      })
    })
    server.on('secureConnection', () => connections++)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/convert`
    const clientConfig = { url, caBundle: Buffer.from(ca).toString('base64') }
    webhook = new ConversionWebhook({ clientConfig, conversionReviewVersions: ['v1'] })
  })
  beforeEach(() => {
    asked = []
    works = true
    answered = {}
  })
  after(() => {
    server.close()
    server.closeAllConnections()
  })

  /** Asks, waits where that is needed, and asks again. */
  async function convert(object: KubeObject): Promise<KubeObject> {
    try {
      return webhook.convert(object, V2)
    } catch (error) {
      if (!(error instanceof PendingAnswer)) throw error
      await error.arrived
      return webhook.convert(object, V2)
    }
  }

  it('is not asked about an object of that version', async () => {
    const object = { ...rod('a'), apiVersion: V2 }
    expect(await convert(object)).to.equal(object)
    expect(asked).to.deep.equal([])
  })

  it('is asked once about an object, whatever the server alone changes in it', async () => {
    await convert(rod('b', { resourceVersion: '1' }))
    const again = await convert(rod('b', { resourceVersion: '2', generation: 3 }))
    expect(again.metadata).to.include({ resourceVersion: '2', generation: 3 })
    expect(asked).to.deep.equal(['b'])
  })

  it('is asked again about labels that it has not seen', async () => {
    await convert(rod('c'))
    await convert(rod('c', { labels: { a: 'b' } }))
    expect(asked).to.deep.equal(['c', 'c'])
  })

  it('is asked once when two callers wait for the same conversion', async () => {
    await Promise.all([convert(rod('d')), convert(rod('d'))])
    expect(asked).to.deep.equal(['d'])
  })

  it('is asked again after a failure, which is reported once', async () => {
    works = false
    const failure = await convert(rod('e')).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(ApiError).and.to.include({ httpStatus: 500 })
    await new Promise((resolve) => setImmediate(resolve))
    works = true
    expect(await convert(rod('e'))).to.include({ apiVersion: V2 })
    expect(asked).to.deep.equal(['e', 'e'])
  })

  const failures: Readonly<Record<string, readonly [answer: JsonObject, says: RegExp]>> = {
    'names no request': [{ uid: undefined }, / failed: expected response.uid="[0-9a-f-]{36}", got ""$/],
    'has no objects': [{ convertedObjects: undefined }, / returned 0 objects, expected 1$/],
  }
  for (const [name, [answer, says]] of Object.entries(failures)) {
    it(`fails with an answer that ${name}`, async () => {
      answered = answer
      const failure = await convert(rod('f')).catch((error: unknown) => error)
      expect(failure).to.be.instanceOf(ApiError).and.to.include({ httpStatus: 500 })
      expect((failure as ApiError).message).to.match(says)
    })
  }

  it('is never asked more than sixteen things at once', async () => {
    await Promise.all(Array.from({ length: 96 }, (_, index) => convert(rod(`many-${index}`))))
    expect(asked).to.have.lengthOf(96)
    expect(connections, 'each is used again').to.be.at.most(16)
  })
})
